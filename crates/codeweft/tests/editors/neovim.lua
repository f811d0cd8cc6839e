-- Drives the editor's door from a real editor, and records what a person would see.
-- Environment: CODEWEFT (the binary), ROOT (the workspace), RECORD (where the record goes).
local binary, root, record = vim.env.CODEWEFT, vim.env.ROOT, vim.env.RECORD

local function fail(words)
  io.stderr:write('neovim: ' .. words .. '\n')
  vim.cmd('cquit 1')
end

local function wait(words, condition)
  if not vim.wait(30000, condition, 10) then
    fail('waited in vain for ' .. words)
  end
end

vim.o.columns = 90
vim.o.lines = 24
vim.o.swapfile = false
vim.o.hidden = true
vim.cmd('cd ' .. vim.fn.fnameescape(root))

local function attach(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/' .. path))
  local id = vim.lsp.start_client({ name = 'codeweft', cmd = { binary, 'lsp', '--root', root }, root_dir = root })
  return id
end

local id = attach('fair/fair.go')
local fair = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(fair, id)
wait('initialize', function()
  local client = vim.lsp.get_client_by_id(id)
  return client and client.initialized
end)

-- A third caller is typed and not saved.
vim.api.nvim_buf_set_lines(fair, -1, -1, false, {
  '', '// Friday is not saved.', 'func Friday() error { return shop.Sell(nil, 3) }',
})

vim.cmd('edit ' .. vim.fn.fnameescape(root .. '/shop/shop.go'))
local shop = vim.api.nvim_get_current_buf()
vim.lsp.buf_attach_client(shop, id)

local function to(text, offset)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local at = line:find(text, 1, true)
    if at then
      vim.api.nvim_win_set_cursor(0, { number, at - 1 + offset })
      return
    end
  end
  fail('no ' .. text)
end

local function grid()
  vim.cmd('redraw')
  local rows = {}
  for row = 1, vim.o.lines do
    local cells = {}
    for column = 1, vim.o.columns do
      cells[column] = vim.fn.screenstring(row, column)
    end
    local text = table.concat(cells):gsub('%s+$', '')
    -- The workspace lies elsewhere at each run.
    local at = text:find(root, 1, true)
    if at then
      text = (text:sub(1, at - 1) .. text:sub(at + #root + 1)):gsub('%s%s+', '  ')
    end
    rows[row] = text
  end
  return rows
end

local function quickfix()
  local rows = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    local name = vim.api.nvim_buf_get_name(item.bufnr):sub(#root + 2)
    rows[#rows + 1] = name .. ':' .. item.lnum .. ':' .. item.col .. ': ' .. item.text
  end
  return rows
end

local function state()
  local cursor = vim.api.nvim_win_get_cursor(0)
  return {
    buffer = vim.api.nvim_buf_get_name(0):sub(#root + 2),
    cursor = cursor[1] .. ':' .. cursor[2],
    modified = vim.bo.modified,
    line = vim.api.nvim_get_current_line(),
  }
end

local seen = {}

to('func Sell', 5)
vim.lsp.buf.incoming_calls()
wait('the callers', function() return #vim.fn.getqflist() > 0 end)
seen.callers = quickfix()
seen.callers_grid = grid()
vim.cmd('cclose')

vim.fn.setqflist({})
vim.api.nvim_set_current_buf(shop)
to('Text() string', 0)
local before = vim.api.nvim_win_get_cursor(0)[1]
vim.lsp.buf.implementation()
wait('the jump', function() return vim.api.nvim_win_get_cursor(0)[1] ~= before end)
seen.jump = state()
seen.jump_grid = grid()

vim.api.nvim_set_current_buf(shop)
to('Pay(cents int) error', 0)
vim.lsp.buf.implementation()
wait('the implementations', function() return #vim.fn.getqflist() > 1 end)
seen.implementations = quickfix()
vim.cmd('cclose')

vim.fn.setqflist({})
vim.api.nvim_set_current_buf(shop)
to('till.Pay', 0)
vim.lsp.buf.references()
wait('the references of a parameter', function() return #vim.fn.getqflist() > 0 end)
seen.references = quickfix()
vim.cmd('cclose')

vim.fn.setqflist({})
vim.api.nvim_set_current_buf(shop)
vim.lsp.buf.document_symbol()
wait('the outline', function() return #vim.fn.getqflist() > 0 end)
seen.outline = quickfix()
vim.cmd('cclose')

vim.api.nvim_set_current_buf(shop)
to('func Sell', 5)
local windows = #vim.api.nvim_list_wins()
vim.lsp.buf.hover()
wait('the hover', function() return #vim.api.nvim_list_wins() > windows end)
for _, window in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(window).relative ~= '' then
    seen.hover = vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false)
  end
end

vim.api.nvim_set_current_buf(fair)
seen.unsaved = vim.bo.modified

vim.lsp.stop_client(id)
seen.stopped = vim.wait(2000, function() return vim.lsp.client_is_stopped(id) end, 10)

local file = assert(io.open(record, 'w'))
file:write(vim.json and vim.json.encode(seen) or vim.fn.json_encode(seen))
file:close()
vim.cmd('qa!')

-- Adds a second workspace folder in a real editor, and asks in both.
-- Environment: CODEWEFT (the binary), ROOT and SECOND (the folders), RECORD (where the record goes).
local binary, root, second, record = vim.env.CODEWEFT, vim.env.ROOT, vim.env.SECOND, vim.env.RECORD

local function fail(words)
  io.stderr:write('neovim: ' .. words .. '\n')
  vim.cmd('cquit 1')
end

local function wait(words, condition)
  if not vim.wait(30000, condition, 10) then
    fail('waited in vain for ' .. words)
  end
end

vim.o.swapfile = false
vim.o.hidden = true

local id = vim.lsp.start_client({ name = 'codeweft', cmd = { binary, 'lsp' }, root_dir = root })
local function edit(path)
  vim.cmd('edit ' .. vim.fn.fnameescape(path))
  vim.lsp.buf_attach_client(0, id)
end

edit(root .. '/shared.go')
wait('initialize', function()
  local client = vim.lsp.get_client_by_id(id)
  return client and client.initialized
end)

local function callers(line)
  vim.fn.setqflist({})
  vim.api.nvim_win_set_cursor(0, { line, 5 })
  vim.lsp.buf.incoming_calls()
  wait('the callers', function() return #vim.fn.getqflist() > 0 end)
  local rows = {}
  for _, item in ipairs(vim.fn.getqflist()) do
    rows[#rows + 1] = item.lnum .. ': ' .. item.text
  end
  vim.cmd('cclose')
  return rows
end

local seen = {}
seen.first = callers(3)
vim.lsp.buf.add_workspace_folder(second)
edit(second .. '/other.go')
vim.api.nvim_buf_set_lines(0, -1, -1, false, { '', 'func Typed() { Other() }' })
seen.second = callers(3)
local asked = vim.lsp.buf_request_sync(0, 'workspace/symbol', { query = 'uses' }, 30000)
seen.symbols = {}
for _, symbol in ipairs(asked[id].result) do
  seen.symbols[#seen.symbols + 1] = symbol.name
end

vim.lsp.stop_client(id)
wait('the end', function() return vim.lsp.client_is_stopped(id) end)
local file = io.open(record, 'w')
file:write(vim.fn.json_encode(seen))
file:close()
vim.cmd('qall!')

// Opens pages in headless Chromium over its debugging pipe, uses them by keyboard and pointer, and prints a line of JSON
// for each: {page, failures, firstPaint, unfoldFive, boxes}. Needs Node.js and Chromium alone.
//
//     node browser.mjs CHROMIUM FOLDER-OF-PAGES
import {spawn} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

const [chromium, folder] = process.argv.slice(2);
const profile = mkdtempSync(join(tmpdir(), 'diagrams-'));
const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking',
  '--disable-component-update', '--disable-sync', '--remote-debugging-pipe', `--user-data-dir=${profile}`, '--window-size=1440,900'];
const browser = spawn(chromium, [...flags, 'about:blank'], {stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe']});
const waiting = new Map();
let next = 1, buffer = '', onEvent = () => {};
browser.stdio[4].on('data', data => {
  buffer += data;
  const messages = buffer.split('\0');
  buffer = messages.pop();
  for (const message of messages.map(text => JSON.parse(text))) {
    if (!message.id) { onEvent(message); continue; }
    const [resolve, reject] = waiting.get(message.id);
    message.error ? reject(new Error(JSON.stringify(message.error))) : resolve(message.result);
  }
});
const send = (method, params = {}, sessionId) => new Promise((resolve, reject) => {
  waiting.set(next, [resolve, reject]);
  browser.stdio[3].write(JSON.stringify({id: next++, method, params, sessionId}) + '\0');
});
const pause = time => new Promise(resolve => setTimeout(resolve, time));

async function open(name) {
  const url = `file://${folder}/${name}`, failures = [];
  const {targetId} = await send('Target.createTarget', {url: 'about:blank'});
  const {sessionId} = await send('Target.attachToTarget', {targetId, flatten: true});
  const call = (method, params) => send(method, params, sessionId);
  let loaded;
  const load = new Promise(resolve => loaded = resolve);
  onEvent = ({method, params}) => {
    if (method == 'Page.loadEventFired') loaded();
    if (method == 'Network.requestWillBeSent' && params.request.url != url) failures.push('request: ' + params.request.url);
    if (method == 'Runtime.exceptionThrown') failures.push('exception: ' + (params.exceptionDetails.exception?.description ?? params.exceptionDetails.text));
    if (method == 'Runtime.consoleAPICalled') failures.push('console: ' + JSON.stringify(params.args));
    if (method == 'Log.entryAdded') failures.push('log: ' + params.entry.text);
  };
  for (const domain of ['Page', 'Network', 'Runtime', 'Log']) await call(domain + '.enable');
  await call('Page.navigate', {url});
  await load;
  const run = async expression => {
    const {result, exceptionDetails} = await call('Runtime.evaluate', {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  };
  const key = async (key, text) => {
    const code = {Enter: 13, Escape: 27, Tab: 9, ArrowDown: 40, ArrowUp: 38, ArrowLeft: 37, ArrowRight: 39}[key] ?? key.toUpperCase().charCodeAt(0);
    const of = {key, windowsVirtualKeyCode: code, ...text !== undefined ? {text} : {}};
    await call('Input.dispatchKeyEvent', {type: 'keyDown', ...of});
    await call('Input.dispatchKeyEvent', {type: 'keyUp', key, windowsVirtualKeyCode: code});
  };
  const expect = (what, ok) => ok || failures.push(what);
  const shot = async file => {
    const {data} = await call('Page.captureScreenshot', {format: 'png'});
    writeFileSync(join(folder, file), Buffer.from(data, 'base64'));
  };
  const close = () => send('Target.closeTarget', {targetId});
  return {failures, run, key, expect, shot, call, close};
}

const focused = `document.activeElement.closest('[data-i]')?.dataset.i ?? document.activeElement.tagName`;
const viewBox = `document.querySelector('.stage svg').getAttribute('viewBox')`;
const firstPaint = `new Promise(resolve => { const look = () => { const [paint] = performance.getEntriesByType('paint'); paint ? resolve(paint.startTime) : setTimeout(look, 20); }; look(); })`;
// Text that is wider than its box, and boxes that overlap.
const misfits = `(() => {
  const wrong = [];
  for (const box of document.querySelectorAll('.n')) {
    const [rect] = box.getElementsByClassName('b'), width = +rect.getAttribute('width');
    for (const text of box.querySelectorAll('text')) if (text.getBBox().x + text.getBBox().width > width - 2) wrong.push('too wide: ' + text.textContent);
  }
  const rects = [...document.querySelectorAll('.n .b')].map(rect => rect.getBoundingClientRect());
  rects.sort((a, b) => a.left - b.left);
  for (let i = 0; i < rects.length; i++) for (let j = i + 1; j < rects.length && rects[j].left < rects[i].right - .5; j++)
    if (rects[j].top < rects[i].bottom - .5 && rects[i].top < rects[j].bottom - .5) wrong.push('overlap');
  return wrong.slice(0, 5);
})()`;

async function check(name) {
  const page = await open(name), {run, key, expect, shot, failures} = page, report = {page: name, failures};
  report.firstPaint = Math.round(await run(firstPaint));
  await shot(name.replace('.html', '.png'));
  expect('the script ran', await run(`${viewBox}.startsWith('-24 -24 ') == false`));
  failures.push(...await run(misfits));

  // Tab reaches boxes, arrows go on from them, Enter selects, Escape clears.
  await run(`document.querySelector('[data-z="+"]').focus()`);
  await key('Tab');
  const first = await run(focused);
  expect('Tab reaches a node', /^\d+$/.test(first));
  expect('the focus is visible', await run(`document.activeElement.matches(':focus-visible')`));
  await run(`document.querySelector('.n').focus()`);
  const at = await run(focused);
  await key('ArrowDown');
  expect('an arrow moves on', await run(focused) != at);
  await key('Enter', '\r');
  expect('Enter selects', await run(`document.querySelectorAll('.sel').length`) == 1);
  expect('the panel is open', await run(`!document.querySelector('aside').hidden && document.querySelectorAll('aside dt').length > 0`));
  await shot(name.replace('.html', '-selected.png'));
  await key('Escape');
  expect('Escape clears', await run(`document.querySelectorAll('.sel').length == 0 && document.querySelector('aside').hidden`));

  // Keys zoom.
  const before = await run(viewBox);
  await key('+', '+');
  const nearer = await run(viewBox);
  expect('+ zooms', nearer != before);
  await key('-', '-');
  expect('- zooms back', Math.abs(parseFloat((await run(viewBox)).split(' ')[2]) - parseFloat(before.split(' ')[2])) < 1);

  // Search: a node by a part of its name, in a folder that is folded, too.
  const names = await run(`(() => { const d = JSON.parse(document.querySelector('.data').textContent);
    const hidden = d.items.findIndex((item, i) => item[14] === undefined && !document.querySelector('[data-i="' + i + '"]'));
    const i = hidden < 0 ? 0 : hidden; return [i, d.items[i][11]]; })()`);
  await key('/', '/');
  expect('/ focuses the search', await run(`document.activeElement.type`) == 'search');
  await page.call('Input.insertText', {text: names[1]});
  expect('there are matches', await run(`document.querySelectorAll('.found button').length`) >= 1);
  await key('Enter', '\r');
  expect('Enter goes to the match', await run(`document.querySelector('.sel')?.dataset.i`) == String(names[0]));
  expect('and focuses it', await run(focused) == String(names[0]));
  failures.push(...await run(misfits));
  await shot(name.replace('.html', '-found.png'));
  await key('Escape');

  // A pointer pans, a click selects.
  const pan = await run(viewBox);
  const mouse = (type, x, y, buttons) => page.call('Input.dispatchMouseEvent', {type, x, y, button: 'left', buttons, clickCount: 1});
  const [x, y] = await run(`(() => { const stage = document.querySelector('.stage'); stage.scrollIntoView({block: 'center'}); const box = stage.getBoundingClientRect(); return [box.left + 8, box.top + 8]; })()`);
  await mouse('mousePressed', x, y, 1);
  await mouse('mouseMoved', x + 60, y + 30, 1);
  await mouse('mouseReleased', x + 60, y + 30, 0);
  expect('a pointer pans', await run(viewBox) != pan);

  // Folders: Enter selects, a second Enter unfolds, and folds again.
  const folder = await run(`document.querySelector('.n.o')?.dataset.i`);
  if (folder !== undefined) {
    const count = `document.querySelectorAll('.n').length`;
    const boxes = await run(count);
    await run(`document.querySelector('[data-i="${folder}"]').focus()`);
    await key('Enter', '\r');
    await key('Enter', '\r');
    expect('a folder unfolds', await run(count) > boxes);
    expect('its frame has the focus', await run(focused) == folder);
    failures.push(...await run(misfits));
    await shot(name.replace('.html', '-unfolded.png'));
    await key('Enter', '\r');
    expect('and folds again', await run(count) == boxes);
    // Five more, one after the other, with the drawing that follows.
    await key('Escape');
    const start = Date.now();
    await run(`(() => { for (let n = 0; n < 5; n++) { const box = document.querySelector('.n.o'); if (!box) return;
      for (const type of [1, 2]) box.isConnected && box.dispatchEvent(new KeyboardEvent('keydown', {key: 'Enter', bubbles: true})); } })()`);
    await run(`new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))`);
    report.unfoldFive = Date.now() - start;
    report.boxes = await run(count);
    failures.push(...await run(misfits));
  }
  // Tables sort, rows and tiles lead to nodes.
  if (await run(`!!document.querySelector('table')`)) {
    const cells = `[...document.querySelectorAll('tbody tr')].map(row => +row.cells[2].dataset.v)`;
    await run(`document.querySelectorAll('th button')[2].click()`);
    expect('a heading sorts', await run(`(c => c.every((v, i) => !i || c[i - 1] >= v))(${cells})`));
    await run(`document.querySelectorAll('th button')[2].click()`);
    expect('and sorts the other way', await run(`(c => c.every((v, i) => !i || c[i - 1] <= v))(${cells})`));
    await run(`document.querySelector('.go').click()`);
    expect('a row leads to its node', await run(`document.querySelector('aside dd:last-of-type').textContent == document.querySelector('.go').dataset.go`));
    await run(`document.querySelector('.tile').focus()`);
    await key('Enter', '\r');
    expect('a tile leads to its node', await run(`document.querySelector('aside dd:last-of-type').textContent == document.querySelector('.tile').dataset.go`));
  }
  // Both colour schemes differ.
  const colour = `getComputedStyle(document.body).backgroundColor`;
  const light = await run(colour);
  await page.call('Emulation.setEmulatedMedia', {features: [{name: 'prefers-color-scheme', value: 'dark'}]});
  expect('there is a dark scheme', await run(colour) != light);
  await shot(name.replace('.html', '-dark.png'));
  await page.close();
  console.log(JSON.stringify(report));
}

let code = 0;
try {
  for (const name of process.argv.slice(4)) await check(name);
} catch (error) {
  console.log(JSON.stringify({page: 'all', failures: [String(error.stack)]}));
  code = 1;
}
browser.kill();
await pause(300);
rmSync(profile, {recursive: true, force: true, maxRetries: 5});
process.exit(code);

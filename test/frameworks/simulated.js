// Elements in a simulated browser, in which merchants test their pages: node simulated.js <jsdom | happy-dom> <folder>.
// The folder has the built elements. A line of the output that begins with `found` lists what is not as it must be.

import path from 'node:path';
import process from 'node:process';
import {setTimeout as wait} from 'node:timers/promises';
import {pathToFileURL} from 'node:url';

const [, , name, folder] = process.argv;
const url = 'https://shop.example/';
const BANKS = [1, 2].map((id) => ({
  id: `bank-${id}`,
  code: `code-${id}`,
  name: `Bank ${id}`,
  account_holder: 'Fener',
  iban: 'TR330006100519786457841326',
  branch_no: '1',
  account_no: '1',
  currency: 'TRY',
  logo: null,
  bank_no: '1',
  updated_at: '2026-01-01T00:00:00Z',
}));

const found = [];
process.on('unhandledRejection', (reason) => found.push(String(reason?.stack ?? reason)));
process.on('uncaughtException', (error) => found.push(String(error.stack)));

const window = await open();
window.addEventListener('error', ({message}) => found.push(message));
globalThis.window = globalThis.self = globalThis;
for (const key of Object.getOwnPropertyNames(window))
  if (
    !(key in globalThis) ||
    /^(navigator|document|location|Event|EventTarget|CustomEvent|AbortController|AbortSignal)$/.test(key)
  )
    Object.defineProperty(globalThis, key, {configurable: true, writable: true, value: window[key]});
for (const method of ['addEventListener', 'removeEventListener', 'dispatchEvent', 'getComputedStyle'])
  globalThis[method] = window[method].bind(window);
globalThis.fetch = async () =>
  Response.json({banks: BANKS, stale: false, arrival: {same_bank: null, other_bank: null}});

const {ELEMENTS, differences, valuesOf} = await import(pathToFileURL(path.join(folder, 'simulated-table.js')).href);

for (const row of ELEMENTS) {
  for (const round of [0, 1]) {
    const values = valuesOf(row, round, url);
    const element = document.createElement(row.tagName);
    for (const {name: attribute, fieldName} of row.attributes) element[fieldName] = values[attribute];
    found.push(...differences(element, row, values, () => true));
    document.body.append(element);
    element.focus();
    await wait(20);
    element.cloneNode(true);
    element.remove();
  }
}

document.body.innerHTML = `<form><vezne-bank-list name="bank" api="${url}"></vezne-bank-list></form>`;
const list = document.querySelector('vezne-bank-list');
for (let times = 0; times < 100 && !list.shadowRoot?.querySelector('[type=radio]'); times += 1) await wait(20);
const banks = list.shadowRoot?.querySelectorAll('[type=radio]').length;
if (banks !== BANKS.length) found.push(`the list shows ${banks} banks: ${list.shadowRoot?.textContent}`);
list.value = 'bank-2';
await list.updateComplete;
document.querySelector('form').reset();

console.log(`\nfound ${JSON.stringify(found)}`);
process.exit();

async function open() {
  if (name === 'jsdom') {
    const {JSDOM} = await import('jsdom');
    return new JSDOM('<!doctype html><body></body>', {url, pretendToBeVisual: true}).window;
  }
  const {Window} = await import('happy-dom');
  return new Window({url});
}

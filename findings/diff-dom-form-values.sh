#!/usr/bin/env bash
# diff-dom 5.2.1, which finds what differs between an element of the page and its next state as HTML, in text or as an
# element, and applies it. The page is a form, and in its next state only a heading differs.
# Expected: only the heading changes. Seen: with the next state as text, every field that has its value by an attribute is
# emptied, a box is no longer checked, and the list shows its first entry, so the form sends an order without its reference.
# It also does so when nothing at all differs. With the next state as an element, only the heading changes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund diff-dom@5.2.1 jsdom@29.1.1

cat >change.cjs <<'END'
const {JSDOM} = require('jsdom');
const {window} = new JSDOM('<!doctype html><body></body>');
for (const name of ['document', 'DOMParser', 'Element', 'HTMLElement', 'Node']) globalThis[name] = window[name];
const {DiffDOM} = require('diff-dom');
const page = (heading) => `<form><h2>${heading}</h2><input type="hidden" name="order" value="ORDER-1">
  <input name="amount" value="149.90"><input type="checkbox" name="terms" value="yes" checked>
  <select name="bank"><option value="1">A</option><option value="2" selected>B</option></select></form>`;
const element = (html) => {
  const parent = document.createElement('div');
  parent.innerHTML = html;
  return parent.firstChild;
};
for (const [how, heading, next] of [['text', 'New', (html) => html], ['same text', 'Old', (html) => html], ['element', 'New', element]]) {
  const form = element(page('Old'));
  document.body.replaceChildren(form);
  const diff = new DiffDOM();
  diff.apply(form, diff.diff(form, next(page(heading))));
  console.log(`${how}: ${form.querySelector('h2').textContent} ${new URLSearchParams(new window.FormData(form))}`);
}
END
echo "diff-dom $(node -p "JSON.parse(require('fs').readFileSync('node_modules/diff-dom/package.json', 'utf8')).version")"
node change.cjs | tee seen.txt
[[ $(cat seen.txt) == $'text: New order=&amount=&bank=1\nsame text: Old order=&amount=&bank=1\nelement: New order=ORDER-1&amount=149.90&terms=yes&bank=2' ]]

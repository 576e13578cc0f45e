#!/usr/bin/env bash
# happy-dom 21.0.4, a custom element that is in the page before its script defines it. Expected: the element is told of its
# attributes when it is upgraded, and then that it is connected, as in browsers and in jsdom 27. Seen: it is only told that
# it is connected, so an element of Lit 3.3.3 lacks the properties that its attributes set. An element that comes after
# its definition is told of both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund happy-dom@21.0.4 jsdom@27.0.0 lit@3.3.3

cat >upgrade.mjs <<'END'
const [library] = process.argv.slice(2);
const {Window, JSDOM} = await import(library);
const window = Window ? new Window() : new JSDOM('').window;
for (const name of ['document', 'customElements', 'HTMLElement', 'Document', 'ShadowRoot', 'CSSStyleSheet']) globalThis[name] = window[name];
globalThis.window = window;
const calls = [];
class ShopPay extends HTMLElement {
  static observedAttributes = ['offer'];
  attributeChangedCallback(name, before, value) {
    calls.push(`${name}=${value}`);
  }
  connectedCallback() {
    calls.push('connected');
  }
}
document.body.innerHTML = '<shop-pay offer="gold"></shop-pay><shop-lit offer="gold"></shop-lit>';
customElements.define('shop-pay', ShopPay);
console.log(`in the page before the definition: ${calls.splice(0).join(', ')}`);
document.body.insertAdjacentHTML('afterbegin', '<shop-pay offer="gold"></shop-pay>');
console.log(`after the definition: ${calls.splice(0).join(', ')}`);
const {LitElement} = await import('lit');
customElements.define('shop-lit', class extends LitElement {
  static properties = {offer: {}};
});
console.log(`property of Lit: ${document.querySelector('shop-lit').offer}`);
process.exit(0);
END
for library in happy-dom jsdom; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
  node upgrade.mjs "$library" | tee "$library.txt"
done
[[ $(cat happy-dom.txt) == 'in the page before the definition: connected
after the definition: offer=gold, connected
property of Lit: undefined' ]]
[[ $(cat jsdom.txt) == 'in the page before the definition: offer=gold, connected
after the definition: offer=gold, connected
property of Lit: gold' ]]

#!/usr/bin/env bash
# postcss-prefix-selector 2.2.1 with PostCSS 8.5.33 and the prefix .shop, which keeps the style of a shop's part from the rest
# of the page, with nested rules as CSS has them. Expected: an outer selector gets the prefix, and the inner ones have it by
# that, as with postcss-prefixwrap 1.59.1. Seen: each level gets it, and as an inner selector without & starts from the outer
# one, it applies only to a price in a .shop in a card, that is to none. One with & applies.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund postcss@8.5.33 postcss-prefix-selector@2.2.1 postcss-prefixwrap@1.59.1 \
  lightningcss@1.33.0 jsdom@29.1.1

cat >prefix.cjs <<'END'
const {JSDOM} = require('jsdom');
const {transform} = require('lightningcss');
const postcss = require('postcss');
const css = '.card { .price { color: blue } & .code { color: red } }';
const {document} = new JSDOM('<div class="shop"><p class="card"><b class="price">1</b><b class="code">2</b></p></div>').window;
const plugins = {
  'postcss-prefix-selector': require('postcss-prefix-selector')({prefix: '.shop'}),
  'postcss-prefixwrap': require('postcss-prefixwrap')('.shop'),
};
for (const [name, plugin] of Object.entries(plugins)) {
  const prefixed = postcss([plugin]).process(css, {from: undefined}).css;
  // Writes the nested rules as a browser without nesting needs them.
  const flat = transform({filename: 'a.css', code: Buffer.from(prefixed), targets: {chrome: 100 << 16}}).code.toString();
  const selectors = [...flat.matchAll(/^(.+) \{/gm)].map(([, selector]) => selector);
  console.log(`${name}: ${selectors.map((selector) => `${selector} applies to ${document.querySelectorAll(selector).length}`).join(', ')}`);
}
END
for library in postcss-prefix-selector postcss-prefixwrap; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node prefix.cjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'postcss-prefix-selector: .shop .card .shop .price applies to 0, .shop :is(.shop .card) .code applies to 1' ]]
[[ $(sed -n 2p seen.txt) == 'postcss-prefixwrap: .shop .card .price applies to 1, .shop .card .code applies to 1' ]]

#!/usr/bin/env bash
# htmr 1.0.2 with React 19.3.1, which turns HTML of a shop's content system into React elements, with a custom element.
# Expected: its attributes have the names they had, as with html-react-parser 6.1.9. Seen: a hyphen goes and the next letter
# is a capital, except in data- and aria-, so the element finds no `number-token`; in the page, where names of
# attributes are in small letters, it is `numbertoken`. `for` is `htmlFor`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund htmr@1.0.2 html-react-parser@6.1.9 react@19.3.1 react-dom@19.3.1

cat >write.cjs <<'END'
const {createElement} = require('react');
const {renderToStaticMarkup} = require('react-dom/server');
const htmr = require('htmr');
const parse = require('html-react-parser');
const html = '<shop-one-click offer="club" number-token="12345" for="pay" data-step-no="2"></shop-one-click>';
for (const [name, read] of [['htmr', htmr.default ?? htmr], ['html-react-parser', parse.default ?? parse]]) {
  console.log(`${name}: ${renderToStaticMarkup(createElement('p', null, read(html)))}`);
}
END
for library in htmr html-react-parser react; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node write.cjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'htmr: <p><shop-one-click offer="club" numberToken="12345" htmlFor="pay" data-step-no="2"></shop-one-click></p>' ]]
[[ $(sed -n 2p seen.txt) == 'html-react-parser: <p><shop-one-click offer="club" number-token="12345" for="pay" data-step-no="2"></shop-one-click></p>' ]]

#!/usr/bin/env bash
# markdown-to-jsx 9.10.6 with React 19.3.1, a text with a shop's custom element, which holds what is shown without script.
# Expected: the element is there once, as it is with `<b>` in place of `<pre>`. Seen: if it holds a `<pre>` and a paragraph
# follows, it is there twice, one in the other, so that there are two payments. If the `<pre>` has a line of its own, or no
# paragraph follows a `<div>`, there is an end tag too many, which in a page made on the server ends what is around it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund markdown-to-jsx@9.10.6 react@19.3.1 react-dom@19.3.1

cat >render.mjs <<'END'
import {compiler} from 'markdown-to-jsx';
import {renderToStaticMarkup} from 'react-dom/server';
const texts = [
  '<shop-pay offer="gold"><b>IBAN</b></shop-pay>\n\nThanks',
  '<shop-pay offer="gold"><pre>IBAN</pre></shop-pay>\n\nThanks',
  '<shop-pay offer="gold">\n<pre>IBAN</pre>\n</shop-pay>\n\nThanks',
  '<div id="pay"><pre>IBAN</pre></div>',
];
for (const text of texts) console.log(`${JSON.stringify(text)}: ${JSON.stringify(renderToStaticMarkup(compiler(text)))}`);
END
for library in markdown-to-jsx react; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node render.mjs | tee seen.txt
[[ $(cat seen.txt) == '"<shop-pay offer=\"gold\"><b>IBAN</b></shop-pay>\n\nThanks": "<div><shop-pay offer=\"gold\"><p><b>IBAN</b></p></shop-pay><p>Thanks</p></div>"
"<shop-pay offer=\"gold\"><pre>IBAN</pre></shop-pay>\n\nThanks": "<div><shop-pay offer=\"gold\"><shop-pay offer=\"gold\"><pre>IBAN</pre></shop-pay>\n</shop-pay><p>Thanks</p></div>"
"<shop-pay offer=\"gold\">\n<pre>IBAN</pre>\n</shop-pay>\n\nThanks": "<div><shop-pay offer=\"gold\"><pre>IBAN</pre>\n</shop-pay>\n</shop-pay><p>Thanks</p></div>"
"<div id=\"pay\"><pre>IBAN</pre></div>": "<div id=\"pay\"><pre>IBAN</pre></div>\n</div>"' ]]

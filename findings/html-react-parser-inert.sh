#!/usr/bin/env bash
# html-react-parser 6.1.9 with React 19.3.1. Expected: `inert` stays, as `disabled` and `hidden` do. Seen: it is lost on every
# element of HTML, because the parser gives React an empty string, which React 19 reads as false for this attribute. So
# what nobody should reach can be reached. On an element with a hyphen in its name, it stays.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund html-react-parser@6.1.9 react@19.3.1 react-dom@19.3.1

cat >parse.mjs <<'END'
import parse from 'html-react-parser';
import {renderToStaticMarkup} from 'react-dom/server';
for (const html of ['<button disabled>Pay</button>', '<form hidden></form>', '<form inert></form>', '<shop-pay inert></shop-pay>']) {
  console.log(`${html} -> ${renderToStaticMarkup(parse(html))}`);
}
END
echo 'html-react-parser 6.1.9, React 19.3.1'
node parse.mjs 2>/dev/null | tee seen.txt
[[ $(cat seen.txt) == '<button disabled>Pay</button> -> <button disabled="">Pay</button>
<form hidden></form> -> <form hidden=""></form>
<form inert></form> -> <form></form>
<shop-pay inert></shop-pay> -> <shop-pay inert=""></shop-pay>' ]]

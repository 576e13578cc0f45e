#!/usr/bin/env bash
# autolinker 4.1.5, default options, with an address in an attribute. Expected: only addresses in the text become links.
# Seen: if the name of the element has a hyphen, as custom elements must, the attribute's value becomes a link too, whose
# quotation marks end the attribute. The same attribute on `<section>` stays, and linkify-html 4.3.3 keeps both.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund autolinker@4.1.5 linkify-html@4.3.3 linkifyjs@4.3.3

cat >link.mjs <<'END'
import Autolinker from 'autolinker';
import linkifyHtml from 'linkify-html';
const options = {newWindow: false, stripPrefix: false};
const tools = {autolinker: (html) => Autolinker.link(html, options), linkify: (html) => linkifyHtml(html)};
for (const name of ['section', 'shop-pay']) {
  const html = `<${name} back="https://shop.example/thanks">Pay</${name}>`;
  for (const [tool, run] of Object.entries(tools)) console.log(`${tool} <${name}>: ${run(html) === html ? 'unchanged' : run(html)}`);
}
END
echo 'autolinker 4.1.5, linkify-html 4.3.3'
node link.mjs | tee seen.txt
[[ $(cat seen.txt) == 'autolinker <section>: unchanged
linkify <section>: unchanged
autolinker <shop-pay>: <shop-pay back="<a href="https://shop.example/thanks">https://shop.example/thanks</a>">Pay</shop-pay>
linkify <shop-pay>: unchanged' ]]

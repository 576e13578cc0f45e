#!/usr/bin/env bash
# remarkable 2.0.1 with `html: true`, which allows HTML in the text. Expected: every element is kept, as markdown-it 15.0.3
# does with the same option. Seen: an element whose name has a hyphen is text that the reader sees, and so is its end tag;
# what is between them is kept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund remarkable@2.0.1 markdown-it@15.0.3

cat >render.mjs <<'END'
import MarkdownIt from 'markdown-it';
import {Remarkable} from 'remarkable';
const tools = {remarkable: new Remarkable({html: true}), 'markdown-it': new MarkdownIt({html: true})};
for (const [name, tool] of Object.entries(tools)) {
  for (const element of ['span', 'shop-pay']) console.log(`${name}: ${tool.render(`Pay <${element}>*here*</${element}>.`).trim()}`);
}
END
echo 'remarkable 2.0.1, markdown-it 15.0.3'
node render.mjs | tee seen.txt
[[ $(cat seen.txt) == 'remarkable: <p>Pay <span><em>here</em></span>.</p>
remarkable: <p>Pay &lt;shop-pay&gt;<em>here</em>&lt;/shop-pay&gt;.</p>
markdown-it: <p>Pay <span><em>here</em></span>.</p>
markdown-it: <p>Pay <shop-pay><em>here</em></shop-pay>.</p>' ]]

#!/usr/bin/env bash
# @tiptap/core 3.35.0 and @tiptap/html 3.35.0, a node for a custom element whose attributes have no `parseHTML`. Expected:
# the attributes of a page that is read and written are the same. Seen: what looks like a number becomes one, so a phone
# number loses its zero, a price its last digit and a long number its end. With `parseHTML`, the attribute is whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @tiptap/core@3.35.0 @tiptap/pm@3.35.0 @tiptap/html@3.35.0 \
  @tiptap/starter-kit@3.35.0 happy-dom@21.0.4

cat >write.mjs <<'END'
import {Node} from '@tiptap/core';
import {generateHTML, generateJSON} from '@tiptap/html';
import StarterKit from '@tiptap/starter-kit';
const html = '<shop-pay phone="08500000000" price="10.50" code="12345678901234567891"></shop-pay>';
for (const own of [false, true]) {
  const attribute = (name) => [name, own ? {parseHTML: (element) => element.getAttribute(name)} : {default: null}];
  const extensions = [StarterKit, Node.create({
    name: 'pay',
    group: 'block',
    atom: true,
    addAttributes: () => Object.fromEntries(['phone', 'price', 'code'].map(attribute)),
    parseHTML: () => [{tag: 'shop-pay'}],
    renderHTML: ({HTMLAttributes}) => ['shop-pay', HTMLAttributes],
  })];
  const written = generateHTML(generateJSON(html, extensions), extensions);
  console.log(`${own ? 'with' : 'without'} parseHTML: ${written === html ? 'unchanged' : written}`);
}
END
echo "@tiptap/core $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/@tiptap/core/package.json", "utf8")).version')"
node write.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'without parseHTML: <shop-pay phone="8500000000" price="10.5" code="12345678901234567000"></shop-pay>' ]]
[[ $(sed -n 2p seen.txt) == 'with parseHTML: unchanged' ]]

#!/usr/bin/env bash
# @wordpress/autop 4.56.0, which writes the paragraphs of a text as WordPress does. Expected: a `<link>`, or an element such
# as `<form-note>`, is part of a paragraph, as `<my-note>` is. Seen: a name that begins with that of a block (`li`, `form`,
# `nav`) is taken for this block at the beginning of a text: the paragraph loses its start tag. Its end tag stays, from which
# a browser makes an empty paragraph; after `<link>`, which is taken for `<li>`, it becomes a line break.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @wordpress/autop@4.56.0

cat >write.mjs <<'END'
import {autop} from '@wordpress/autop';
for (const text of [
  '<my-note>Two days.</my-note> Free.',
  '<form-note>Two days.</form-note> Free.',
  '<nav-link>Back</nav-link> to the shop.',
  '<link itemprop="url" href="/lamp"> Lamp.',
  '<meta itemprop="sku" content="1"> Lamp.',
])
  console.log(autop(text).trim());
END
echo '@wordpress/autop 4.56.0'
node write.mjs | tee seen.txt
[[ $(cat seen.txt) == '<p><my-note>Two days.</my-note> Free.</p>
<form-note>Two days.</form-note> Free.</p>
<nav-link>Back</nav-link> to the shop.</p>
<link itemprop="url" href="/lamp"> Lamp.<br />
<p><meta itemprop="sku" content="1"> Lamp.</p>' ]]

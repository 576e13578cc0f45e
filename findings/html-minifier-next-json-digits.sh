#!/usr/bin/env bash
# html-minifier-next 8.7.0 without any option, so with all of its changes off, and a page with data as JSON in a script.
# Expected: the data are what they were, with or without the white space, as html-minifier-terser 7.2.0 leaves them. Seen: it
# reads JSON into numbers of JavaScript and writes those, so a number of 19 digits, such as ids of databases are, ends with
# zeros, and the server that gets it back finds another order or none. A script of type text/plain is kept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund html-minifier-next@8.7.0 html-minifier-terser@7.2.0

cat >minify.mjs <<'END'
import {minify} from 'html-minifier-next';
import {minify as terser} from 'html-minifier-terser';
for (const type of ['application/json', 'text/plain']) {
  const page = `<script type="${type}">{"order": 1234567890123456789}</script>`;
  console.log(`html-minifier-next: ${await minify(page)}`);
  console.log(`html-minifier-terser: ${await terser(page)}`);
}
END
for library in html-minifier-next html-minifier-terser; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node minify.mjs | tee seen.txt
[[ $(cat seen.txt) == $'html-minifier-next: <script type="application/json">{"order":1234567890123456800}</script>\nhtml-minifier-terser: <script type="application/json">{"order": 1234567890123456789}</script>\nhtml-minifier-next: <script type="text/plain">{"order": 1234567890123456789}</script>\nhtml-minifier-terser: <script type="text/plain">{"order": 1234567890123456789}</script>' ]]

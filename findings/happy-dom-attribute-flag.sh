#!/usr/bin/env bash
# happy-dom 21.0.4, attribute selectors with the flag `i` of CSS Selectors 4 (the value is compared without its case).
# Expected: [lang=tr i] and [lang="TR" i] find both paragraphs, as in browsers and in jsdom 27. Seen: a value without
# quotation marks throws a SyntaxError, and beside a quoted value the flag changes nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund happy-dom@21.0.4 jsdom@27.0.0

cat >find.mjs <<'END'
const [library] = process.argv.slice(2);
const {Window, JSDOM} = await import(library);
const document = Window ? new Window().document : new JSDOM('').window.document;
document.body.innerHTML = '<p lang="tr"></p><p lang="TR"></p>';
for (const selector of ['[lang=tr i]', '[lang="TR" i]', '[lang="Tr" i]']) {
  let found;
  try {
    found = document.querySelectorAll(selector).length;
  } catch {
    found = 'throws';
  }
  console.log(`${selector} ${found}`);
}
END
for library in happy-dom jsdom; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
  node find.mjs "$library" | tee "$library.txt"
done
[[ $(cat happy-dom.txt) == $'[lang=tr i] throws\n[lang="TR" i] 1\n[lang="Tr" i] 0' ]]
[[ $(cat jsdom.txt) == $'[lang=tr i] 2\n[lang="TR" i] 2\n[lang="Tr" i] 2' ]]

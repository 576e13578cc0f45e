#!/usr/bin/env bash
# @turbodocx/html-to-docx 1.23.1 and html-to-docx 1.8.0 with a receipt as HTML, whose amount is in a custom element, or in an
# `<output>` or `<data>`, within a paragraph.
# Expected: the text of an element that the library does not know stays in the paragraph. Seen: it is not in the Word file, and
# nothing reports it, so the receipt says "Paid: by transfer" without the amount. In a `<span>`, and in a custom element that
# holds the paragraph, it is there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @turbodocx/html-to-docx@1.23.1 html-to-docx@1.8.0 jszip@3.10.1

cat >convert.cjs <<'END'
const JSZip = require('jszip');
const receipts = ['span', 'shop-amount', 'output'].map((name) => `<p>Paid: <${name}>149,90</${name}> by transfer</p>`);
receipts.push('<p>Paid: <data value="149.90">149,90</data> by transfer</p>');
receipts.push('<shop-receipt><p>Paid: 149,90 by transfer</p></shop-receipt>');
(async () => {
  for (const library of ['@turbodocx/html-to-docx', 'html-to-docx']) {
    for (const html of receipts) {
      const {files} = await JSZip.loadAsync(await require(library)(html));
      const text = [...(await files['word/document.xml'].async('string')).matchAll(/<w:t[ >][^<]*/g)].map(([part]) => part.replace(/.*>/, ''));
      console.log(`${library} ${html}: ${text.join(' ').replace(/\s+/g, ' ')}`);
    }
  }
})();
END
for library in @turbodocx/html-to-docx html-to-docx; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node convert.cjs | tee seen.txt
for library in @turbodocx/html-to-docx html-to-docx; do
  [[ $(grep "^$library " seen.txt) == "$library <p>Paid: <span>149,90</span> by transfer</p>: Paid: 149,90 by transfer
$library <p>Paid: <shop-amount>149,90</shop-amount> by transfer</p>: Paid: by transfer
$library <p>Paid: <output>149,90</output> by transfer</p>: Paid: by transfer
$library <p>Paid: <data value=\"149.90\">149,90</data> by transfer</p>: Paid: by transfer
$library <shop-receipt><p>Paid: 149,90 by transfer</p></shop-receipt>: Paid: 149,90 by transfer" ]]
done

#!/usr/bin/env bash
# minify-xml 4.5.2, default options, with an invoice in UBL whose note says its language (`xml:lang="tr"`). The prefix xml is
# part of XML, needs no declaration, and may not have another name.
# Expected: it stays. Seen: if any declared prefix of the document is unused, xml is shortened like the prefixes that the
# document declares, to x, which nothing declares: a reader that knows namespaces (saxes 6.0.0) refuses the invoice. Without
# the unused prefix, xml stays.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund minify-xml@4.5.2 saxes@6.0.0

cat >minify.mjs <<'END'
import {minify} from 'minify-xml';
import {SaxesParser} from 'saxes';
const invoice = (unused) => `<Invoice xmlns="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2"
 xmlns:cbc="urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2"${unused}>
 <cbc:Note xml:lang="tr">Kod: 8812</cbc:Note>
</Invoice>`;
const read = (xml) => {
  let found = 'read';
  const parser = new SaxesParser({xmlns: true});
  parser.on('error', ({message}) => (found = message));
  parser.write(xml).close();
  return found;
};
for (const unused of ['', ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"']) {
  const small = minify(invoice(unused));
  console.log(`${small.match(/<c:Note.*?>/)[0]} before ${read(invoice(unused))}, after ${read(small)}`);
}
END
for library in minify-xml saxes; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node minify.mjs | tee seen.txt
[[ $(cat seen.txt) == $'<c:Note xml:lang="tr"> before read, after read\n<c:Note x:lang="tr"> before read, after 1:171: unbound namespace prefix: "x".' ]]

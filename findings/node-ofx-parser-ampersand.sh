#!/usr/bin/env bash
# node-ofx-parser 0.5.1, a bank statement in OFX 1 (SGML) whose payer has an ampersand in the name, which the format writes
# as &amp;. Expected: the name, or the name as it is written. Seen: &amp;amp;amp;, because it writes each ampersand of the
# file as &amp; two times before it reads it. So the payer is not found, and the name does not fit in 32 characters.
# ofx-js 1.1.1 gives the name.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-ofx-parser@0.5.1 ofx-js@1.1.1

cat >statement.ofx <<'END'
OFXHEADER:100
DATA:OFXSGML
VERSION:102
ENCODING:USASCII
CHARSET:1252

<OFX>
<BANKMSGSRSV1>
<STMTTRNRS>
<STMTRS>
<CURDEF>TRY
<BANKTRANLIST>
<STMTTRN>
<TRNTYPE>CREDIT
<DTPOSTED>20261126
<TRNAMT>149.90
<FITID>1
<NAME>Ornek &amp; Deniz
</STMTTRN>
</BANKTRANLIST>
</STMTRS>
</STMTTRNRS>
</BANKMSGSRSV1>
</OFX>
END
cat >read.cjs <<'END'
const {readFileSync} = require('node:fs');
const text = readFileSync('statement.ofx', 'utf8');
const name = ({OFX}) => [OFX.BANKMSGSRSV1.STMTTRNRS.STMTRS.BANKTRANLIST.STMTTRN].flat()[0].NAME;
(async () => {
  console.log(`node-ofx-parser: ${name(require('node-ofx-parser').parse(text))}`);
  console.log(`ofx-js: ${name(await require('ofx-js').parse(text))}`);
})();
END
for library in node-ofx-parser ofx-js; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'node-ofx-parser: Ornek &amp;amp;amp; Deniz\nofx-js: Ornek & Deniz' ]]

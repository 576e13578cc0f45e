#!/usr/bin/env bash
# iban-qr-code 1.0.0, the text of a QR code for a SEPA transfer (EPC069-12). From version 002 on, the BIC may be left out, and
# the payer's text and the structured reference may not both be there. The README shows the fields empty.
# Expected: a field that is not given is empty. Seen: the BIC is the invented DEZZZYYYXXX, and the payer's text is
# "Testsubject", also beside a reference, so the shopper's bank gets a bank that does not exist and two texts. A name that
# is not given is "Max Mustermann". `bezahlcode` of the same package leaves such fields empty.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund iban-qr-code@1.0.0

cat >write.cjs <<'END'
const {bezahlcode, girocode} = require('iban-qr-code');
const transfer = {name: 'Example GmbH', iban: 'DE89370400440532013000', amount: '149.90', ref: 'RF18539007547034', version: '002'};
console.log(girocode(transfer).replaceAll('\n', '|'));
const {bic, reason} = Object.fromEntries(new URLSearchParams(bezahlcode(transfer).split('?')[1]));
console.log(`bezahlcode: bic "${bic}", reason "${reason}"`);
END
echo "iban-qr-code $(node -p "JSON.parse(require('fs').readFileSync('node_modules/iban-qr-code/package.json', 'utf8')).version")"
node write.cjs | tee seen.txt
[[ $(cat seen.txt) == $'BCD|002|2|SCT|DEZZZYYYXXX|Example GmbH|DE89370400440532013000|EUR149.90||RF18539007547034|Testsubject|\nbezahlcode: bic "", reason ""' ]]

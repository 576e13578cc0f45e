#!/usr/bin/env bash
# emvco-qr-sdk 1.0.0, which reads the text of a payment's QR code (EMV, merchant-presented), with the amount in field 54.
# Expected: the amount, as text, as emvqr 0.0.5 gives it. Seen: it reads any value as fields of its own if its length fits,
# so 5.00 is a field "5." of length 00, and 1003.50 a field "10" of length 03. `transactionAmount` is then an object, which
# its types call possible; 5.01 and 1004.50 are text. The checksum is valid in all of them.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund emvco-qr-sdk@1.0.0 emvqr@0.0.5

cat >read.cjs <<'END'
const {parseFullQR, QRParseMode} = require('emvco-qr-sdk');
const {decode} = require('emvqr');
const field = (tag, value) => `${tag}${String(value.length).padStart(2, '0')}${value}`;
const checksum = (text) => {
  let sum = 0xffff;
  for (const byte of Buffer.from(text)) {
    sum ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) sum = (sum & 0x8000 ? (sum << 1) ^ 0x1021 : sum << 1) & 0xffff;
  }
  return sum.toString(16).toUpperCase().padStart(4, '0');
};
for (const amount of ['5.00', '5.01', '1003.50', '1004.50']) {
  const account = field('00', 'TR.EXAMPLE') + field('01', 'TR330006100519786457841326');
  const shop = field('58', 'TR') + field('59', 'ORNEK') + field('60', 'ISTANBUL');
  const text = `000201010212${field('26', account)}52045999${field('53', '949')}${field('54', amount)}${shop}6304`;
  const code = text + checksum(text);
  const {named, crc} = parseFullQR(code, {parseMode: QRParseMode.GLOBAL});
  console.log(`${amount}: ${JSON.stringify(named.transactionAmount)}, valid ${crc.isValid}, emvqr ${decode(code)['54'].data}`);
}
END
for library in emvco-qr-sdk emvqr; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'5.00: {"5.":""}, valid true, emvqr 5.00\n5.01: "5.01", valid true, emvqr 5.01\n1003.50: {"10":".50"}, valid true, emvqr 1003.50\n1004.50: "1004.50", valid true, emvqr 1004.50' ]]

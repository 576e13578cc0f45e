#!/usr/bin/env bash
# gsm7 1.3.1, which packs the text of an SMS into its 7-bit alphabet, with Turkish letters that the alphabet lacks.
# Expected: it throws, or sends a question mark. Seen: it sends the alphabet's escape character, so the phone takes the next
# letter from the extension table: "Geçerli" becomes "Ge€rli", and "(Şubat" becomes "(", an unknown letter and "bat".
# Its own `decode` shows it. split-sms 0.1.7 says that such a text must be sent as Unicode.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund gsm7@1.3.1 split-sms@0.1.7

cat >send.cjs <<'END'
const {decode, encode} = require('gsm7');
const {split} = require('split-sms');
for (const text of ['Ödeme 149,90', 'Geçerli: 10 dk', 'Taksitleriniz 5ş(1)']) {
  console.log(`${text}: ${decode(encode(text))} (${split(text).characterSet})`);
}
END
for library in gsm7 split-sms; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node send.cjs | tee seen.txt
[[ $(cat seen.txt) == $'Ödeme 149,90: Ödeme 149,90 (GSM)\nGeçerli: 10 dk: Ge€rli: 10 dk (Unicode)\nTaksitleriniz 5ş(1): Taksitleriniz 5{1) (Unicode)' ]]

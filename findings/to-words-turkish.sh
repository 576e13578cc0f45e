#!/usr/bin/env bash
# to-words 5.7.0, locale tr-TR, with amounts of money as an invoice in Turkish has them in words.
# Expected: 1000 is "bin", and 149.90 is "yüz kırk dokuz lira doksan kuruş", as n2words 4.0.0 says. Seen: 1000 is "bir
# bin", one word too many. With `currency: true` the kuruş never appear: 149.90 ends with "nine tenths lira", and 0.05
# is "five hundredths lira". In en-US, the same options give dollars and cents.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund to-words@5.7.0 n2words@4.0.0

cat >say.mjs <<'END'
import {ToWords} from 'to-words';
import {toCurrency} from 'n2words/tr-TR';
const [turkish, english] = ['tr-TR', 'en-US'].map((localeCode) => new ToWords({localeCode}));
for (const amount of [1000, 149.9, 0.05]) {
  console.log(`${amount} to-words tr-TR: ${turkish.convert(amount, {currency: true})}`);
  console.log(`${amount} n2words tr-TR: ${toCurrency(amount)}`);
  console.log(`${amount} to-words en-US: ${english.convert(amount, {currency: true})}`);
}
END
for library in to-words n2words; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node say.mjs | tee seen.txt
[[ $(grep 'to-words tr-TR' seen.txt) == $'1000 to-words tr-TR: bir bin lira\n149.9 to-words tr-TR: yüz kırk dokuz virgül dokuz onuncu lira\n0.05 to-words tr-TR: beş yüzüncü lira' ]]
[[ $(grep n2words seen.txt) == $'1000 n2words tr-TR: bin lira\n149.9 n2words tr-TR: yüz kırk dokuz lira doksan kuruş\n0.05 n2words tr-TR: beş kuruş' ]]
grep -q '149.9 to-words en-US: One Hundred Forty Nine Dollars And Ninety Cents' seen.txt

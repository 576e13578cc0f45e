#!/usr/bin/env bash
# rosaenlg-n2words 3.3.0, a fork of n2words, in Turkish, with the amount of a refund as a receipt has it in words.
# Expected: "eksi" in front of the words of the amount, as n2words 4.0.0 says, or an error, as the fork throws in English,
# German and French. Seen: -149.9 is "binyüzkırkdokuzvirgüldokuz", which is 1,149.9, and -1000 is "birbin", which nobody says.
# The amounts without a sign are right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund rosaenlg-n2words@3.3.0 n2words@4.0.0

cat >say.mjs <<'END'
import fork from 'rosaenlg-n2words';
import {toCardinal} from 'n2words/tr-TR';
for (const amount of [149.9, -149.9, 1149.9, -1000]) {
  console.log(`${amount}: rosaenlg-n2words ${fork(amount, {lang: 'tr'})}, n2words ${toCardinal(amount)}`);
}
END
for library in rosaenlg-n2words n2words; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node say.mjs | tee seen.txt
[[ $(cat seen.txt) == $'149.9: rosaenlg-n2words yüzkırkdokuzvirgüldokuz, n2words yüz kırk dokuz virgül dokuz\n-149.9: rosaenlg-n2words binyüzkırkdokuzvirgüldokuz, n2words eksi yüz kırk dokuz virgül dokuz\n1149.9: rosaenlg-n2words binyüzkırkdokuzvirgüldokuz, n2words bin yüz kırk dokuz virgül dokuz\n-1000: rosaenlg-n2words birbin, n2words eksi bin' ]]

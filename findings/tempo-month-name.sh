#!/usr/bin/env bash
# @formkit/tempo 1.1.0, `parse` with the format "D MMMM YYYY" and the locale tr, with days as receipts have them.
# Expected: a month in capital letters is that month, or an error, as for a month that the format cannot read. Seen: a name
# that is not in exactly the case of the locale, in any language, is the month in which the program runs, also with
# `dateOverflow: 'throw'`. So a due day moves by months, and nothing reports it. any-date-parser 2.2.4 reads all three.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @formkit/tempo@1.1.0 any-date-parser@2.2.4

cat >read.mjs <<'END'
import {parse} from '@formkit/tempo';
import parser from 'any-date-parser';
const thisMonth = new Date().getMonth() + 1;
const months = ['3 Ağustos 2026', '3 AĞUSTOS 2026', '3 ŞUBAT 2026'].map((date) => {
  const month = parse({date, format: 'D MMMM YYYY', locale: 'tr', dateOverflow: 'throw'}).getMonth() + 1;
  console.log(`${date}: tempo ${month}, any-date-parser ${parser.attempt(date, 'tr-TR').month}`);
  return month;
});
console.log(`today: ${thisMonth}`);
console.log(`only the first is right: ${months[0] === 8 && months[1] === thisMonth && months[2] === thisMonth}`);
END
for library in @formkit/tempo any-date-parser; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.mjs | tee seen.txt
grep -qx 'only the first is right: true' seen.txt

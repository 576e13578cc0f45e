#!/usr/bin/env bash
# xlsx 0.18.5 (SheetJS), a bank's CSV from Türkiye: semicolons between the fields, commas in front of the kuruş.
# Expected: text, which the reader of the file turns into an amount, or the amount. Seen: numbers that are neither. It drops
# the commas of what then looks like a number: 149,90 is 14990 and 1.000,00 is 1, and 1.234,56 is 1.23456, but
# 1.234.567,89 is text. The day 03.04.2026 is 4 March, and 13.04.2026 text. With `raw: true`, all of it is text.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund xlsx@0.18.5

cat >read.cjs <<'END'
const {read, SSF, utils} = require('xlsx');
const file = `Tarih;Tutar
03.04.2026;149,90
13.04.2026;1.000,00
;1.234,56
;1.234.567,89
`;
for (const raw of [false, true]) {
  const {SheetNames, Sheets} = read(file, {type: 'string', raw});
  const cells = utils.sheet_to_json(Sheets[SheetNames[0]]);
  const show = (cell) => (typeof cell === 'number' ? `number ${cell}` : `text ${cell}`);
  console.log(`raw: ${raw}: ${cells.map(({Tutar}) => show(Tutar)).join(', ')}`);
  console.log(cells.flatMap(({Tarih}) => Tarih ?? []).map((day) => (typeof day === 'number' ? SSF.format('yyyy-mm-dd', day) : day)).join(', '));
}
END
echo "xlsx $(node -p "JSON.parse(require('fs').readFileSync('node_modules/xlsx/package.json', 'utf8')).version")"
node read.cjs | tee seen.txt
[[ $(sed -n 1,2p seen.txt) == $'raw: false: number 14990, number 1, number 1.23456, text 1.234.567,89\n2026-03-04, 13.04.2026' ]]
[[ $(sed -n 3,4p seen.txt) == $'raw: true: text 149,90, text 1.000,00, text 1.234,56, text 1.234.567,89\n03.04.2026, 13.04.2026' ]]

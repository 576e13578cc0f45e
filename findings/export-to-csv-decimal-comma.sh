#!/usr/bin/env bash
# export-to-csv 1.5.0 with `decimalSeparator: ','`, the comma of Turkish and German amounts, and its own field separator.
# Expected: a number with a comma stands in quotation marks, as texts with a comma do, so that a row has as many cells as the
# header. Seen: it stands bare, so 149.9 becomes two cells, 149 and 9, and all cells behind it move. A field that is null
# becomes the text "null". With `fieldSeparator: ';'` the numbers are right. csv42 5.0.3 quotes such a value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund export-to-csv@1.5.0 csv42@5.0.3

cat >write.mjs <<'END'
import {json2csv} from 'csv42';
import {asString, generateCsv, mkConfig} from 'export-to-csv';
const rows = [{order: 'S-1009', amount: 149.9, code: null}];
const write = (options) => {
  const config = mkConfig({useKeysAsHeaders: true, useBom: false, decimalSeparator: ',', ...options});
  return asString(generateCsv(config)(rows)).trim().split('\r\n')[1];
};
console.log(`export-to-csv: ${write({})}`);
console.log(`export-to-csv, semicolons: ${write({fieldSeparator: ';'})}`);
const comma = rows.map(({order, amount, code}) => ({order, amount: String(amount).replace('.', ','), code}));
console.log(`csv42: ${json2csv(comma).trim().split('\r\n')[1]}`);
END
for library in export-to-csv csv42; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node write.mjs | tee seen.txt
[[ $(cat seen.txt) == $'export-to-csv: "S-1009",149,9,"null"\nexport-to-csv, semicolons: "S-1009";149,9;"null"\ncsv42: S-1009,"149,9",' ]]

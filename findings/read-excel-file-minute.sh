#!/usr/bin/env bash
# read-excel-file 9.3.17, a list of payments as write-excel-file 4.1.1 of the same author wrote it, with the minute of each.
# Expected: the minutes that were written, as exceljs 4.4.0 reads them. Seen: of the 1,440 minutes of a day, 448 are a millisecond
# early, because it cuts a day's fraction where it should round. So a payment of 14:00 shows 13:59, and counts in the hour
# before. A day without a time is whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund read-excel-file@9.3.17 write-excel-file@4.1.1 exceljs@4.4.0

cat >read.mjs <<'END'
import ExcelJS from 'exceljs';
import {readSheet} from 'read-excel-file/node';
import writeExcelFile from 'write-excel-file/node';
const minutes = Array.from({length: 1440}, (_, minute) => new Date(Date.UTC(2026, 0, 5, 0, minute)));
await writeExcelFile(minutes.map((value) => [{value, type: Date, format: 'dd.mm.yyyy hh:mm'}])).toFile('payments.xlsx');
const workbook = new ExcelJS.Workbook();
await workbook.xlsx.readFile('payments.xlsx');
const readings = {
  'read-excel-file': (await readSheet('payments.xlsx')).map(([time]) => time),
  exceljs: minutes.map((_, row) => workbook.worksheets[0].getCell(row + 1, 1).value),
};
for (const [name, times] of Object.entries(readings)) {
  const early = times.filter((time, minute) => time - minutes[minute] === -1).length;
  const whole = times.filter((time, minute) => time - minutes[minute] === 0).length;
  console.log(`${name}: ${whole} whole, ${early} early, ${minutes[840].toISOString()} is ${times[840].toISOString()}`);
}
END
for library in read-excel-file write-excel-file exceljs; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'read-excel-file: 992 whole, 448 early, 2026-01-05T14:00:00.000Z is 2026-01-05T13:59:59.999Z' ]]
[[ $(sed -n 2p seen.txt) == 'exceljs: 1440 whole, 0 early, 2026-01-05T14:00:00.000Z is 2026-01-05T14:00:00.000Z' ]]

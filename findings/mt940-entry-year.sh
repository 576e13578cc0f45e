#!/usr/bin/env bash
# mt940js 1.3.5, swiftmessageparser 1.2.1 and mt940-js 1.0.0, a bank statement in MT940 from the turn of the year. Field 61
# has the value date with its year, and the entry date, on which the bank books, without one. The statement runs from 31
# December 2025 to 2 January 2026, and has a payment of value 31 December that was booked on 2 January.
# Expected: booked on 2 January 2026, two days later. Seen: all three take the value date's year, 2 January 2025, so the
# payment is booked a year before the statement starts, and is missing from a list of the new year's bookings.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mt940js@1.3.5 swiftmessageparser@1.2.1 mt940-js@1.0.0 tslib@1.14.1

cat >statement.txt <<'END'
:20:STATEMENT1
:25:TR330006100519786457841326
:28C:1/1
:60F:C251231TRY1000,00
:61:2512310102C250,00NTRFORDER-1
:62F:C260102TRY1250,00
-
END
cat >read.cjs <<'END'
const {readFileSync} = require('node:fs');
const data = readFileSync('statement.txt', 'utf8').replaceAll('\n', '\r\n');
const day = (date) => (date.toISOString ? date.toISOString() : date).slice(0, 10);
const show = (name, value, entry) => console.log(`${name}: value ${day(value)}, booked ${day(entry)}`);
(async () => {
  const {Parser} = require('mt940js');
  for (const {date, entryDate} of new Parser().parse(data)[0].transactions) show('mt940js', date, entryDate);
  const [{transactions}] = require('swiftmessageparser').parse({type: 'mt940', data, validate: true});
  for (const {date, entryDate} of transactions) show('swiftmessageparser', date, entryDate);
  const [statement] = await require('mt940-js').read(Buffer.from(data));
  for (const {valueDate, entryDate} of statement.transactions) show('mt940-js', valueDate, entryDate);
})();
END
for library in mt940js swiftmessageparser mt940-js; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'mt940js: value 2025-12-31, booked 2025-01-02\nswiftmessageparser: value 2025-12-31, booked 2025-01-02\nmt940-js: value 2025-12-31, booked 2025-01-02' ]]

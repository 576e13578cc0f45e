#!/usr/bin/env bash
# mt940-js 1.0.0, a bank statement in MT940 on which the bank takes a transfer back. In field 61 the mark is then RC, a
# reversal of a credit, which SWIFT defines as a debit entry; RD, a reversal of a debit, is a credit entry.
# Expected: RC is no credit, and RD is one, so that the entries lead from the opening to the closing balance, as in mt940js
# 1.3.5. Seen: `isCredit` is the other way round for both, so the money that went back counts as received once more.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mt940-js@1.0.0 tslib@1.14.1 mt940js@1.3.5

# From 1000.00 to 980.00: 250.00 received and taken back, a charge of 20.00 paid, and 30.00 paid and returned to the account.
cat >statement.txt <<'END'
:20:STATEMENT1
:25:TR330006100519786457841326
:28C:1/1
:60F:C260102TRY1000,00
:61:2601020102C250,00NTRFORDER-1
:61:2601020102RC250,00NTRFORDER-1
:61:2601020102D20,00NTRFCHARGE
:61:2601020102D30,00NTRFREFUND-2
:61:2601020102RD30,00NTRFREFUND-2
:62F:C260102TRY980,00
-
END
cat >read.cjs <<'END'
const {readFileSync} = require('node:fs');
const text = readFileSync('statement.txt', 'utf8').replaceAll('\n', '\r\n');
const show = (name, amounts) =>
  console.log(`${name}: ${amounts.join(' ')}, closing ${amounts.reduce((sum, amount) => sum + amount, 1000)}`);
(async () => {
  const [statement] = await require('mt940-js').read(Buffer.from(text));
  show('mt940-js', statement.transactions.map(({amount, isCredit}) => (isCredit ? amount : -amount)));
  const {Parser} = require('mt940js');
  show('mt940js', new Parser().parse(text)[0].transactions.map(({amount}) => amount));
})();
END
for library in mt940-js mt940js; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'mt940-js: 250 250 -20 -30 -30, closing 1420\nmt940js: 250 -250 -20 -30 30, closing 980' ]]

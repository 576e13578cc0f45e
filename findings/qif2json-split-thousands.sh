#!/usr/bin/env bash
# qif2json 0.4.0 and qif-ts 1.0.0 with a QIF transaction of a bank whose amounts have a comma between the thousands, which
# QIF allows: a total of -1,234.56 in the two parts -1,000.00 and -234.56.
# Expected: the parts add up to the total. Seen: qif2json reads the total right and the first part as -1, and qif-ts reads
# both the total and that part as -1. Neither reports anything.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund qif2json@0.4.0 qif-ts@1.0.0

cat >read.cjs <<'END'
const qif = '!Type:Bank\nD11/21/2026\nT-1,234.56\nPSupplier\nSRent\n$-1,000.00\nSFee\n$-234.56\n^\n';
const [a] = require('qif2json').parse(qif).transactions;
console.log(`qif2json: total ${a.amount}, parts ${a.division.map(({amount}) => amount).join(' and ')}`);
const [b] = require('qif-ts').deserializeQif(qif).transactions;
console.log(`qif-ts: total ${b.amount}, parts ${b.splits.map(({amount}) => amount).join(' and ')}`);
END
for library in qif2json qif-ts; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'qif2json: total -1234.56, parts -1 and -234.56\nqif-ts: total -1, parts -1 and -234.56' ]]

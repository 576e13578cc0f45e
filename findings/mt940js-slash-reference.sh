#!/usr/bin/env bash
# mt940js 1.3.5 and its relative swiftmessageparser 1.2.1, a bank statement in MT940 whose payment has a reference with a
# slash, such as the invoice 2026/0042. In field 61, the reference is up to 16 characters of SWIFT's set x, which has the
# slash; only two slashes together end it, and the bank's own reference follows.
# Expected: 2026/0042 and BANK1. Seen: the first slash ends the reference, and what follows is dropped, with the bank's
# reference. So the invoices 2026/0042 and 2026/0043 cannot be told apart. The validation of neither library objects.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund mt940js@1.3.5 swiftmessageparser@1.2.1

cat >statement.txt <<'END'
:20:STATEMENT1
:25:TR330006100519786457841326
:28C:1/1
:60F:C260102TRY1000,00
:61:2601020102C250,00NTRF2026/0042//BANK1
:61:2601020102C250,00NTRF2026/0043//BANK2
:61:2601020102C250,00NTRF2026-0044//BANK3
:62F:C260102TRY1750,00
-
END
cat >read.cjs <<'END'
const {readFileSync} = require('node:fs');
const data = readFileSync('statement.txt', 'utf8').replaceAll('\n', '\r\n');
const show = (name, [{transactions}]) =>
  console.log(`${name}: ${transactions.map(({reference, bankReference}) => `${reference} (${bankReference})`).join(', ')}`);
const {Parser} = require('mt940js');
show('mt940js', new Parser().parse(data));
show('swiftmessageparser', require('swiftmessageparser').parse({type: 'mt940', data, validate: true}));
END
for library in mt940js swiftmessageparser; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'mt940js: 2026 (), 2026 (), 2026-0044 (BANK3)\nswiftmessageparser: 2026 (), 2026 (), 2026-0044 (BANK3)' ]]

#!/usr/bin/env bash
# @lykmapipo/phone 0.7.16 with dotenv-expand 12.0.3, which its dependencies' ranges (>=5.1.0) let in.
# Expected: `parsePhoneNumber()` accepts a valid Turkish number. Seen: the first number that a process parses is refused, as
# an invalid one is, and the same number is accepted from the second time on. In a function that starts for each request,
# no number is valid. Reading the settings of the environment fails once, and the library takes that for a wrong number. With
# dotenv-expand 5.1.0 the first number is accepted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >parse.cjs <<'END'
const {parsePhoneNumber} = require('@lykmapipo/phone');
const numbers = ['0501 234 56 78', '0501 234 56 78', '+90 501 234 56 78'];
const seen = numbers.map((number) => parsePhoneNumber(number, 'TR')?.e164 ?? 'refused');
console.log(`dotenv-expand ${require('dotenv-expand/package.json').version}: ${seen.join(', ')}`);
END
npm init -y >/dev/null
echo '@lykmapipo/phone 0.7.16'
for version in 12.0.3 5.1.0; do
  npm install --silent --no-audit --no-fund @lykmapipo/phone@0.7.16 @lykmapipo/env@0.17.39 @lykmapipo/common@0.44.5 \
    google-libphonenumber@3.2.47 dotenv@16.6.1 "dotenv-expand@$version"
  node parse.cjs
done | tee seen.txt
[[ $(cat seen.txt) == $'dotenv-expand 12.0.3: refused, +905012345678, +905012345678\ndotenv-expand 5.1.0: +905012345678, +905012345678, +905012345678' ]]

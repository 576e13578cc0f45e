#!/usr/bin/env bash
# currency-codes 2.2.0, `country()`, which finds the currencies of a country without regard to capital letters.
# Expected: `country('Türkiye')` finds TRY, as `country('Germany')` finds EUR. Seen: it finds nothing, nor does 'türkiye' or
# the former name 'Turkey'; only 'TÜRKİYE' finds it. The name in the package has a dot of its own behind the i (U+0307), left
# when the capital İ was made small without the rules of Turkish.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund currency-codes@2.2.0

cat >find.cjs <<'END'
const codes = require('currency-codes');
for (const name of ['Türkiye', 'türkiye', 'TÜRKİYE', 'Turkey', 'Germany', 'germany']) {
  console.log(`${name}: ${codes.country(name).map(({code}) => code).join(',') || 'nothing'}`);
}
const [name] = codes.code('TRY').countries;
console.log(`TRY is of ${name}: ${[...name].map((char) => char.codePointAt(0).toString(16)).join(' ')}`);
END
echo "currency-codes $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/currency-codes/package.json", "utf8")).version')"
node find.cjs | tee seen.txt
[[ $(grep -c ': nothing$' seen.txt) == 3 && $(grep -c ': EUR$' seen.txt) == 2 ]]
[[ $(sed -n 3p seen.txt) == 'TÜRKİYE: TRY' ]]
[[ $(tail -n 1 seen.txt) == *': 54 fc 72 6b 69 307 79 65' ]]

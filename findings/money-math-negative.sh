#!/usr/bin/env bash
# money-math 2.6.3, which calculates with amounts as decimal strings, with the amounts of a refund.
# Expected: what is taken back is what was given, so -149.95 * 0.10 is -15.00, or -14.99 with another way of rounding.
# Seen: a negative result that must be rounded is too small by up to two cents: -14.98, and -1.00 / 8 is -0.11, not -0.13 or
# -0.12. The same amounts without a sign are right. js-big-decimal 2.2.0 gives the same digits with either sign.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund money-math@2.6.3 js-big-decimal@2.2.0

cat >refund.cjs <<'END'
const money = require('money-math');
const Decimal = require('js-big-decimal');
const up = (text) => Decimal.round(text, 2, Decimal.RoundingModes.HALF_UP);
for (const sign of ['', '-']) {
  console.log(`money-math: ${sign}149.95 * 0.10 = ${money.mul(`${sign}149.95`, '0.10')}`);
  console.log(`money-math: 10 % of ${sign}149.95 = ${money.percent(`${sign}149.95`, '10.00')}`);
  console.log(`money-math: ${sign}1.00 / 8.00 = ${money.div(`${sign}1.00`, '8.00')}`);
  console.log(`js-big-decimal: ${sign}149.95 * 0.10 = ${up(Decimal.multiply(`${sign}149.95`, '0.10'))}`);
  console.log(`js-big-decimal: ${sign}1.00 / 8.00 = ${up(Decimal.divide(`${sign}1.00`, '8.00', 6))}`);
}
END
for library in money-math js-big-decimal; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node refund.cjs | tee seen.txt
[[ $(grep -- 'money-math: .*-1' seen.txt) == $'money-math: -149.95 * 0.10 = -14.98\nmoney-math: 10 % of -149.95 = -14.98\nmoney-math: -1.00 / 8.00 = -0.11' ]]
[[ $(head -n 5 seen.txt) == $'money-math: 149.95 * 0.10 = 15.00\nmoney-math: 10 % of 149.95 = 15.00\nmoney-math: 1.00 / 8.00 = 0.13\njs-big-decimal: 149.95 * 0.10 = 15.00\njs-big-decimal: 1.00 / 8.00 = 0.13' ]]
[[ $(grep -- 'js-big-decimal: -' seen.txt) == $'js-big-decimal: -149.95 * 0.10 = -15.00\njs-big-decimal: -1.00 / 8.00 = -0.13' ]]

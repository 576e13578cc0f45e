#!/usr/bin/env bash
# @logtape/redaction 2.3.7 with @logtape/logtape 2.4.2, a log of JSON lines with an address and an amount, which are objects
# of classes with a `toJSON`. Expected: `redactByField` hides what the list has, and the rest of the line is as it was. Seen:
# it copies what such an object has in open properties, so a URL, and an amount that keeps its value in a private one, are
# {} in the log. A Date is kept.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @logtape/redaction@2.3.7 @logtape/logtape@2.4.2

cat >log.mjs <<'END'
import {getJsonLinesFormatter} from '@logtape/logtape';
import {redactByField} from '@logtape/redaction';
class Amount {
  #kurus = 14990;
  toJSON() {
    return (this.#kurus / 100).toFixed(2);
  }
}
const format = getJsonLinesFormatter();
const properties = {url: new URL('https://pay.example/orders'), amount: new Amount(), at: new Date(0), name: 'Example'};
const record = {category: ['pay'], level: 'info', message: ['paid'], rawMessage: 'paid', timestamp: 0, properties};
const show = (how) => (line) => console.log(`${how}: ${JSON.stringify(JSON.parse(format(line)).properties)}`);
show('plain')(record);
redactByField(show('redacted'), {fieldPatterns: ['name'], action: () => '***'})(record);
END
for library in @logtape/redaction @logtape/logtape; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node log.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'plain: {"url":"https://pay.example/orders","amount":"149.90","at":"1970-01-01T00:00:00.000Z","name":"Example"}' ]]
[[ $(sed -n 2p seen.txt) == 'redacted: {"url":{},"amount":{},"at":"1970-01-01T00:00:00.000Z","name":"***"}' ]]

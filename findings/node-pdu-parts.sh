#!/usr/bin/env bash
# node-pdu 2.1.1, which writes the PDUs with which a modem sends an SMS. By 3GPP TS 23.040, a message has up to 140 octets of
# user data, which are 160 places of the 7-bit alphabet, where [ ] { } take two, or 70 of UCS-2, which Turkish letters need.
# Expected: a text that fits is one message, as sms-segments-calculator 1.3.0 counts it, and no part has more than 140 octets.
# Seen: more than 133 characters, or 63 in UCS-2, are cut into parts of as many, whatever they are. So texts of 160 and 70
# letters cost two messages each, and a part with enough brackets has 175 octets, which no message can carry.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund node-pdu@2.1.1 sms-segments-calculator@1.3.0

cat >write.cjs <<'END'
const {Submit} = require('node-pdu');
const {SegmentedMessage} = require('sms-segments-calculator');
const texts = {
  '133 a': 'a'.repeat(133),
  '160 a': 'a'.repeat(160),
  '63 ş': 'ş'.repeat(63),
  '70 ş': 'ş'.repeat(70),
  brackets: '{GOLD}[1]'.repeat(20),
};
for (const [name, text] of Object.entries(texts)) {
  // In front of the user data are 14 octets: the SMSC's length, the type, a number, the receiver (8), two settings and a length.
  const octets = new Submit('+905550000000', text).getPartStrings().map((pdu) => pdu.length / 2 - 14);
  console.log(`${name}: octets ${octets.join(' ')}, sms-segments-calculator ${new SegmentedMessage(text).segmentsCount}`);
}
END
for library in node-pdu sms-segments-calculator; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node write.cjs | tee seen.txt
[[ $(cat seen.txt) == '133 a: octets 117, sms-segments-calculator 1
160 a: octets 124 31, sms-segments-calculator 1
63 ş: octets 126, sms-segments-calculator 1
70 ş: octets 133 21, sms-segments-calculator 1
brackets: octets 175 67, sms-segments-calculator 2' ]]

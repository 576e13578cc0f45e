#!/usr/bin/env bash
# sms-length 0.2.2 and sms-counter 1.0.0, which say how many messages an SMS will be. In its 7-bit alphabet, € [ ] { } are an
# escape and a letter, so two places of the 153 that a part of a longer text has, and the two may not be in different parts.
# Expected: a text whose € would begin at the last place of the first part is three parts, as split-sms 0.1.7 and
# sms-segments-calculator 1.3.0 say. Seen: both say two. sms-counter also counts a lone € as one place, so that a text of 160
# characters with a € is one message for it, and two for all the others. So the bill is higher than what was counted.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund sms-length@0.2.2 sms-counter@1.0.0 split-sms@0.1.7 sms-segments-calculator@1.3.0

cat >count.cjs <<'END'
const counters = {
  'sms-length': (text) => require('sms-length').count(text).messages,
  'sms-counter': (text) => require('sms-counter').default.count(text).messages,
  'split-sms': (text) => require('split-sms').split(text).parts.length,
  'sms-segments-calculator': (text) => new (require('sms-segments-calculator').SegmentedMessage)(text).segmentsCount,
};
for (const [name, count] of Object.entries(counters)) {
  const single = count('x'.repeat(159) + '€');
  const split = count('x'.repeat(152) + '€' + 'x'.repeat(152));
  console.log(`${name}: 160 with € ${single}, € at the end of a part ${split}`);
}
END
for library in sms-length sms-counter split-sms sms-segments-calculator; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node count.cjs | tee seen.txt
[[ $(cut -d: -f2 seen.txt) == $' 160 with € 2, € at the end of a part 2\n 160 with € 1, € at the end of a part 2\n 160 with € 2, € at the end of a part 3\n 160 with € 2, € at the end of a part 3' ]]

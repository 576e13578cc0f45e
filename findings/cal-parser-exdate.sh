#!/usr/bin/env bash
# cal-parser 1.0.2, a calendar with a due date that repeats each Monday, three times from 5 January 2026 on.
# Expected: the same three days whether or not one of them is left out (`EXDATE`). Seen: with `EXDATE`, the first is the day
# and the second at which the file is read, and the others follow it by weeks; DTSTART, which it gives to rrule as an option,
# is lost. ical-expander 3.2.0 gives the days that remain, the 5th and the 19th.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund cal-parser@1.0.2 ical-expander@3.2.0

cat >read.cjs <<'END'
const {parseString} = require('cal-parser');
const IcalExpander = require('ical-expander');
const calendar = (rule) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//shop//due//EN', 'BEGIN:VEVENT', 'UID:1@shop.example', 'DTSTAMP:20251226T090000Z',
    'DTSTART:20260105T060000Z', 'DURATION:PT1H', 'SUMMARY:Pay', ...rule, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n');
const minute = (date) => (Math.abs(date - Date.now()) < 60_000 ? 'now' : date.toISOString().slice(0, 10));
for (const rule of [['RRULE:FREQ=WEEKLY;COUNT=3'], ['RRULE:FREQ=WEEKLY;COUNT=3', 'EXDATE:20260112T060000Z']]) {
  const ics = calendar(rule);
  const [{recurrenceRule}] = parseString(ics).events;
  const {occurrences} = new IcalExpander({ics}).all();
  const days = occurrences.map(({startDate}) => startDate.toJSDate().toISOString().slice(0, 10));
  console.log(`${rule.join(' ')}: from ${minute(recurrenceRule.all()[0])}, ical-expander ${days.join(' ')}`);
}
END
for library in cal-parser ical-expander; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.cjs | tee seen.txt
[[ $(cat seen.txt) == $'RRULE:FREQ=WEEKLY;COUNT=3: from 2026-01-05, ical-expander 2026-01-05 2026-01-12 2026-01-19\nRRULE:FREQ=WEEKLY;COUNT=3 EXDATE:20260112T060000Z: from now, ical-expander 2026-01-05 2026-01-19' ]]

#!/usr/bin/env bash
# ts-ics 2.4.6, `extendByRecurrenceRule`, the next due days of a subscription from 30 January 2026 on, in a program in UTC.
# Expected: BYMONTHDAY=-1 is the last day of the month and BYDAY=-1FR its last Friday, as RFC 5545 says and rrule 2.8.1
# gives them. Seen: each day counted from the month's end is one too early, 27 February and 30 March, and the last Friday
# of January, the first due day, is left out. Without such a part, the day of the month moves after a short month: 30
# January, 28 February, 28 March. RFC 5545 leaves out a month without the day, and goes on with the 30th.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund ts-ics@2.4.6 rrule@2.8.1

cat >due.mjs <<'END'
import rrule from 'rrule';
import {convertIcsRecurrenceRule, extendByRecurrenceRule} from 'ts-ics';
const start = new Date('2026-01-30T12:00:00Z');
const show = (name, days) => console.log(`${name}: ${days.map((day) => day.toISOString().slice(0, 10)).join(' ')}`);
for (const part of ['BYMONTHDAY=15', 'BYMONTHDAY=-1', 'BYDAY=-1FR', 'INTERVAL=1']) {
  const value = `FREQ=MONTHLY;${part};COUNT=3`;
  show(`ts-ics ${part}`, extendByRecurrenceRule(convertIcsRecurrenceRule(undefined, {value}), {start}));
  show(`rrule ${part}`, rrule.rrulestr(value, {dtstart: start}).all());
}
END
for library in ts-ics rrule; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
TZ=UTC node due.mjs | tee seen.txt
[[ $(grep ts-ics seen.txt) == 'ts-ics BYMONTHDAY=15: 2026-02-15 2026-03-15 2026-04-15
ts-ics BYMONTHDAY=-1: 2026-01-30 2026-02-27 2026-03-30
ts-ics BYDAY=-1FR: 2026-02-27 2026-03-27 2026-04-24
ts-ics INTERVAL=1: 2026-01-30 2026-02-28 2026-03-28' ]]
[[ $(grep rrule seen.txt) == 'rrule BYMONTHDAY=15: 2026-02-15 2026-03-15 2026-04-15
rrule BYMONTHDAY=-1: 2026-01-31 2026-02-28 2026-03-31
rrule BYDAY=-1FR: 2026-01-30 2026-02-27 2026-03-27
rrule INTERVAL=1: 2026-01-30 2026-03-30 2026-04-30' ]]

#!/usr/bin/env bash
# @datasert/cronjs-matcher 1.4.0, the days of a job that must also run on Sundays. In cron, Sunday is 0 and 7.
# Expected: 1-7 is every day, and 6-7 and SAT-SUN are the weekend, as croner 11.0.1 says, or an error. Seen: a range that
# ends with Sunday has no Sunday: 1-7 is six days, and the weekend is Saturday alone. "7", "6,7" and 0-6 have it. So the job
# that matches the transfers of the day is not run on Sundays, and nothing reports it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @datasert/cronjs-matcher@1.4.0 croner@11.0.1

cat >days.cjs <<'END'
const {getFutureMatches} = require('@datasert/cronjs-matcher');
const {Cron} = require('croner');
const [start, end] = ['2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z']; // Monday to Monday
const names = (times) => times.map((time) => new Date(time).toUTCString().slice(0, 3)).join(' ');
for (const days of ['1-7', '6-7', 'SAT-SUN', '6,7', '0-6', '7']) {
  const expression = `0 9 * * ${days}`;
  const matches = getFutureMatches(expression, {startAt: start, endAt: end, matchCount: 9, timezone: 'UTC'});
  const runs = new Cron(expression, {timezone: 'UTC'}).nextRuns(9, new Date(start)).filter((run) => run < new Date(end));
  console.log(`${days}: ${names(matches)}; croner ${names(runs)}`);
}
END
for library in @datasert/cronjs-matcher croner; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node days.cjs | tee seen.txt
[[ $(sed -n 1,3p seen.txt) == $'1-7: Mon Tue Wed Thu Fri Sat; croner Mon Tue Wed Thu Fri Sat Sun\n6-7: Sat; croner Sat Sun\nSAT-SUN: Sat; croner Sat Sun' ]]
[[ $(sed -n 4,6p seen.txt) == $'6,7: Sat Sun; croner Sat Sun\n0-6: Mon Tue Wed Thu Fri Sat Sun; croner Mon Tue Wed Thu Fri Sat Sun\n7: Sun; croner Sun' ]]

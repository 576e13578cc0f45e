#!/usr/bin/env bash
# date-holidays 3.37.0, is Türkiye at work at a given hour? By law (no. 2429, articles 1 and 2), a religious feast starts at
# 13:00 of its eve and lasts 3.5 days (Ramazan) or 4.5 days (Kurban), and Republic Day starts on 28 October at 13:00. In 2026,
# Ramazan is 20 to 22 March, and Kurban 27 to 30 May.
# Expected: the afternoon of an eve is a holiday, and the morning after the feast is none. Seen: the opposite. A feast starts
# in the evening of the eve, and the Monday morning after Ramazan is a holiday: a transfer is promised for a wrong day.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund date-holidays@3.37.0

cat >work.cjs <<'END'
const Holidays = require('date-holidays');
const holidays = new Holidays('TR', {timezone: 'Europe/Istanbul'});
const hours = [
  ['2026-03-19T15:00', 'holiday'], // Thursday, the eve of Ramazan
  ['2026-03-20T10:00', 'holiday'], // Friday, the first day
  ['2026-03-23T10:00', 'work'], // Monday, after the last day
  ['2026-05-26T15:00', 'holiday'], // Tuesday, the eve of Kurban
  ['2026-10-28T15:00', 'holiday'], // Wednesday, before Republic Day
];
for (const [hour, expected] of hours) {
  const seen = holidays.isHoliday(new Date(`${hour}:00+03:00`)) ? 'holiday' : 'work';
  console.log(`${hour} ${seen}, by law ${expected}`);
}
END
echo "date-holidays $(node -p "JSON.parse(require('fs').readFileSync('node_modules/date-holidays/package.json', 'utf8')).version")"
node work.cjs | tee seen.txt
[[ $(cat seen.txt) == $'2026-03-19T15:00 work, by law holiday\n2026-03-20T10:00 holiday, by law holiday\n2026-03-23T10:00 holiday, by law work\n2026-05-26T15:00 work, by law holiday\n2026-10-28T15:00 work, by law holiday' ]]

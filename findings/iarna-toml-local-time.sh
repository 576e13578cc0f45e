#!/usr/bin/env bash
# @iarna/toml 3.0.0 with a local time of TOML 0.5 (`opens = 09:30:00`) and a key in the next line.
# Expected: two keys, as smol-toml 1.9.1 reads them. Seen: it takes the line end as a part of the time and refuses the next
# line. With a comment, a blank line or a fraction of a second behind the time, and with dates and date-times, it works.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @iarna/toml@3.0.0 smol-toml@1.9.1

cat >read.mjs <<'END'
import * as smol from 'smol-toml';
import iarna from '@iarna/toml';
const endings = {
  'line end': '09:30:00',
  'comment': '09:30:00 # local',
  'blank line': '09:30:00\n',
  'fraction': '09:30:00.5',
  'date': '2026-11-21',
  'date-time': '2026-11-21T09:30:00',
};
for (const [name, value] of Object.entries(endings)) {
  const read = (parse) => {
    try {
      return Object.keys(parse(`opens = ${value}\nshop = "lamp"\n`)).join(',');
    } catch {
      return 'throws';
    }
  };
  console.log(`${name}: @iarna/toml ${read(iarna.parse)}, smol-toml ${read(smol.parse)}`);
}
END
for library in @iarna/toml smol-toml; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.mjs | tee seen.txt
[[ $(head -n 1 seen.txt) == 'line end: @iarna/toml throws, smol-toml opens,shop' ]]
[[ $(grep -c '@iarna/toml opens,shop, smol-toml opens,shop' seen.txt) == 5 ]]

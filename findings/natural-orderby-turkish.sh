#!/usr/bin/env bash
# natural-orderby 5.0.0, `compare({locale: 'tr'})`, with which it sorts text as in Turkish, where I comes before İ.
# Expected: Irmak before İpek, as with `Intl.Collator('tr')`, and as ırmak before ipek. Seen: İpek before Irmak, since it
# lowers the letters as in English first. In a list with capital letters, names with I and with İ are mixed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund natural-orderby@5.0.0

cat >sort.cjs <<'END'
const {compare} = require('natural-orderby');
for (const names of [['İpek', 'Irmak', 'İlter', 'Işıl'], ['ipek', 'ırmak', 'ilter', 'ışıl']]) {
  console.log(`natural-orderby: ${[...names].sort(compare({locale: 'tr'})).join(' ')}`);
  console.log(`Intl.Collator: ${[...names].sort(new Intl.Collator('tr').compare).join(' ')}`);
}
END
echo "natural-orderby $(node -p "JSON.parse(require('fs').readFileSync('node_modules/natural-orderby/package.json', 'utf8')).version")"
node sort.cjs | tee seen.txt
[[ $(cat seen.txt) == $'natural-orderby: İlter İpek Irmak Işıl\nIntl.Collator: Irmak Işıl İlter İpek\nnatural-orderby: ırmak ışıl ilter ipek\nIntl.Collator: ırmak ışıl ilter ipek' ]]

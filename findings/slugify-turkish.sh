#!/usr/bin/env bash
# @sindresorhus/slugify 3.0.1 with `locale: 'tr'`, for the address of a page with a Turkish name. Expected: the locale makes
# the slug better, or leaves it. Seen: every capital I and İ is lost, because after the transliteration to ASCII the
# slug is put into lower case by Turkish rules, which turn I into ı. Without the locale, and in slugify 1.6.9 with it, the
# slug is whole.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @sindresorhus/slugify@3.0.1 slugify@1.6.9

cat >slug.mjs <<'END'
import slugify from '@sindresorhus/slugify';
import other from 'slugify';
for (const name of ['Işık', 'İndirim', 'IBAN']) {
  const slugs = [slugify(name, {locale: 'tr'}), slugify(name), other(name, {locale: 'tr', lower: true})];
  console.log(`${name}: ${slugs.join(' ')}`);
}
END
echo '@sindresorhus/slugify 3.0.1 with and without the locale, slugify 1.6.9'
node slug.mjs | tee seen.txt
[[ $(cat seen.txt) == $'Işık: sik isik isik\nİndirim: ndirim indirim indirim\nIBAN: ban iban iban' ]]

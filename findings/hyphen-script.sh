#!/usr/bin/env bash
# hyphen 1.14.1, which says that it skips the tags of HTML. Expected: soft hyphens are only in what a reader sees, and in no
# attribute. Seen: attributes are whole, but scripts and style sheets have soft hyphens too. There they are part of a name,
# so the script throws at its first name and the rule applies to nothing.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund hyphen@1.14.1

cat >hyphenate.cjs <<'END'
const {hyphenateSync} = require('hyphen/en');
for (const html of [
  '<shop-pay label="subscription">subscription</shop-pay>',
  '<script type="module">document.querySelector("shop-subscription").start();</script>',
  '<style>shop-subscription{display:block}</style>',
]) {
  console.log(hyphenateSync(html).replaceAll('\u00ad', '|'));
}
END
echo "hyphen $(node -p 'require("hyphen/package.json").version'), | is a soft hyphen"
node hyphenate.cjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == '<shop-pay label="subscription">sub|scrip|tion</shop-pay>' ]]
[[ $(sed -n 2p seen.txt) == *'("shop-sub|scrip|tion")'* && $(sed -n 3p seen.txt) == '<style>shop-sub|scrip|tion{'* ]]

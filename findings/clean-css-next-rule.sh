#!/usr/bin/env bash
# clean-css 5.3.3, default options, with a sheet that has `@starting-style` or `@scope`. Expected: the block is kept, or at
# worst lost alone. Seen: the next rule of the sheet is lost with it, although that rule is plain CSS; the rule after that
# is kept. It is only in `warnings`; `errors` is empty. csso 5.0.5 keeps everything.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund clean-css@5.3.3 csso@5.0.5

cat >minify.cjs <<'END'
const CleanCSS = require('clean-css');
const {minify} = require('csso');
for (const block of ['@starting-style{shop-pay{opacity:0}}', '@scope (shop-pay){b{top:0}}', '@layer shop{b{top:0}}']) {
  const sheet = `${block}p{color:red}i{color:#00f}`;
  const {styles, errors} = new CleanCSS().minify(sheet);
  console.log(`clean-css: ${styles} (${errors.length} errors)`);
  console.log(`csso:      ${minify(sheet).css}`);
}
END
echo "clean-css $(node -p 'require("clean-css/package.json").version'), csso $(node -p 'require("csso/package.json").version')"
node minify.cjs | tee seen.txt
[[ $(cat seen.txt) == 'clean-css: i{color:#00f} (0 errors)
csso:      @starting-style{shop-pay{opacity:0}}p{color:red}i{color:#00f}
clean-css: i{color:#00f} (0 errors)
csso:      @scope (shop-pay){b{top:0}}p{color:red}i{color:#00f}
clean-css: @layer shop{b{top:0}}p{color:red}i{color:#00f} (0 errors)
csso:      @layer shop{b{top:0}}p{color:red}i{color:#00f}' ]]

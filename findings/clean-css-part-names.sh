#!/usr/bin/env bash
# clean-css 5.3.3, default options, with `::part(button paid)`, which selects what has both part names in the shadow root of a
# custom element, as a shop styles a button that has been paid.
# Expected: the two names stay apart, as with csso 5.0.5. Seen: they become one, `::part(buttonpaid)`, which no element has,
# so the rule applies to none. `errors` and `warnings` are empty. The space in `:is()` stays, and with `level: 0` this one too.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund clean-css@5.3.3 csso@5.0.5

cat >minify.cjs <<'END'
const CleanCSS = require('clean-css');
const {minify} = require('csso');
const css = 'shop-pay::part(button paid){color:green}shop-pay:is(.gold b,.new){margin:0}';
for (const options of [{}, {level: 0}]) {
  const {styles, errors, warnings} = new CleanCSS(options).minify(css);
  console.log(`clean-css ${JSON.stringify(options)}: ${styles} ${errors.length} errors, ${warnings.length} warnings`);
}
console.log(`csso: ${minify(css).css}`);
END
for library in clean-css csso; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node minify.cjs | tee seen.txt
[[ $(cat seen.txt) == 'clean-css {}: shop-pay::part(buttonpaid){color:green}shop-pay:is(.gold b,.new){margin:0} 0 errors, 0 warnings
clean-css {"level":0}: shop-pay::part(button paid){color:green}shop-pay:is(.gold b,.new){margin:0} 0 errors, 0 warnings
csso: shop-pay::part(button paid){color:green}shop-pay:is(.gold b,.new){margin:0}' ]]

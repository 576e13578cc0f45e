#!/usr/bin/env bash
# @minify-html/node 0.18.1 and @swc/html 1.16.22, default options, with `hidden="until-found"`, which the browser's search
# and links to a fragment reveal. Expected: the value stays, because `hidden` is no boolean attribute. Seen: both write
# `hidden`, so the text can no longer be found. htmlnano 3.5.1 keeps the value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @minify-html/node@0.18.1 @swc/html@1.16.22 htmlnano@3.5.1

cat >minify.cjs <<'END'
const page = '<!doctype html><html lang=en><title>A</title><body><shop-pay hidden="until-found">Pay</shop-pay></body></html>';
const tools = {
  '@minify-html/node': () => require('@minify-html/node').minify(Buffer.from(page), {}).toString(),
  '@swc/html': async () => (await require('@swc/html').minify(Buffer.from(page), {})).code,
  htmlnano: async () => {
    const {default: htmlnano = require('htmlnano')} = require('htmlnano');
    return (await htmlnano.process(page, {skipConfigLoading: true})).html;
  },
};
(async () => {
  for (const [name, run] of Object.entries(tools)) console.log(`${name}: ${/<shop-pay.*?>/.exec(await run())[0]}`);
})();
END
for name in @minify-html/node @swc/html htmlnano; do
  echo "$name $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$name/package.json', 'utf8')).version")"
done
node minify.cjs | tee seen.txt
[[ $(cat seen.txt) == $'@minify-html/node: <shop-pay hidden>\n@swc/html: <shop-pay hidden>\nhtmlnano: <shop-pay hidden="until-found">' ]]

#!/usr/bin/env bash
# html2pug 4.0.0 with a page whose payment is in a `<template>`, as pages have it that show it only after a consent.
# Expected: the content of the template is in the Pug file, as that of a `div` is. Seen: the template is empty, so the payment
# is not in the page that Pug makes of it, and nothing reports it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund html2pug@4.0.0

cat >convert.cjs <<'END'
const html2pug = require('html2pug');
(async () => {
  for (const name of ['div', 'template']) {
    const html = `<${name} id="later"><shop-pay session="s"></shop-pay></${name}>`;
    console.log(`${html}: ${JSON.stringify(await html2pug(html, {fragment: true}))}`);
  }
})();
END
echo "html2pug $(node -p "JSON.parse(require('fs').readFileSync('node_modules/html2pug/package.json', 'utf8')).version")"
node convert.cjs | tee seen.txt
[[ $(cat seen.txt) == $'<div id="later"><shop-pay session="s"></shop-pay></div>: "#later\\n  shop-pay(session=\'s\')"\n<template id="later"><shop-pay session="s"></shop-pay></template>: "template#later"' ]]

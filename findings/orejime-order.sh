#!/usr/bin/env bash
# orejime 3.2.1, a consent banner which puts what is in `<template data-purpose>` into the page after the visitor has
# agreed; its documents say that a template can hold many elements and any HTML. Expected: the page shows them in the
# order of the template. Seen: in the opposite order, and text that is in no element of its own is lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund orejime@3.2.1 jsdom@27.0.0

cat >agree.mjs <<'END'
import {readFileSync} from 'node:fs';
import {JSDOM} from 'jsdom';
const template = '<template data-purpose="pay"><h2>Pay</h2><shop-pay></shop-pay> or <a href="/help">ask</a></template>';
const {window} = new JSDOM(`<!doctype html><html lang="en"><body><main>${template}</main></body></html>`, {
  runScripts: 'dangerously',
  url: 'https://shop.example/',
});
window.orejimeConfig = {privacyPolicyUrl: '/privacy', purposes: [{id: 'pay', title: 'Pay'}]};
await new Promise((resolve) => window.addEventListener('load', resolve));
window.eval(readFileSync('node_modules/orejime/dist/orejime-standard-en.js', 'utf8'));
window.orejime.manager.acceptAll();
const {innerHTML} = window.document.querySelector('main');
console.log(innerHTML.slice(innerHTML.indexOf('</template>') + '</template>'.length).replaceAll(' data-purpose="pay"', ''));
process.exit(0);
END
echo "orejime $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/orejime/package.json", "utf8")).version')"
node agree.mjs | tee seen.txt
[[ $(cat seen.txt) == '<a href="/help">ask</a><shop-pay></shop-pay><h2>Pay</h2>' ]]

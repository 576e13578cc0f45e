#!/usr/bin/env bash
# morphlex 1.4.0 and morphdom 2.7.8, which turn an element of the page into its next state, here with a `<template>` that
# holds the offer which a script will show later. Expected: the page is then as the next state, the template too, as with
# idiomorph 0.8.0. Seen: attributes of the template change, but its content, which is no child of it, stays. So the script shows
# the price of the page before.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund morphlex@1.4.0 morphdom@2.7.8 idiomorph@0.8.0 jsdom@29.1.1

cat >morph.mjs <<'END'
import {JSDOM} from 'jsdom';
const {window} = new JSDOM('<!doctype html><body></body>', {url: 'https://shop.example/'});
for (const name of Object.getOwnPropertyNames(window)) if (!(name in globalThis)) globalThis[name] = window[name];
const {morph: morphlex} = await import('morphlex');
const {default: morphdom} = await import('morphdom');
const {Idiomorph} = await import('idiomorph');
const page = (price, lang) =>
  `<main><p>${price}</p><template id="offer" lang="${lang}"><shop-pay amount="${price}"></shop-pay></template></main>`;
for (const [name, morph] of Object.entries({morphlex, morphdom, idiomorph: (from, to) => Idiomorph.morph(from, to)})) {
  document.body.innerHTML = page('149.90', 'tr');
  morph(document.body.firstChild, page('199.90', 'en'));
  const {content, lang} = document.querySelector('template');
  console.log(`${name}: ${document.querySelector('p').textContent}, template ${lang} ${content.firstChild.getAttribute('amount')}`);
}
END
for library in morphlex morphdom idiomorph; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node morph.mjs | tee seen.txt
[[ $(cat seen.txt) == $'morphlex: 199.90, template en 149.90\nmorphdom: 199.90, template en 149.90\nidiomorph: 199.90, template en 199.90' ]]

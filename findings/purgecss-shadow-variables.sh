#!/usr/bin/env bash
# purgecss 8.0.0 with `variables: true`, which removes custom properties that nothing uses. A shop sets the color of a custom
# element by one, and gives PurgeCSS the page and the script of the element, in whose shadow root `var(--pay-accent)` is.
# Expected: the property stays, because the script in `content` has its name, as classes and elements that a script names
# stay. Seen: only `var()` in style sheets counts, so the rule stays and is empty, and the element has its default color.
# With `safelist: {variables: ['--pay-accent']}`, the property stays.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund purgecss@8.0.0

cat >purge.mjs <<'END'
import {PurgeCSS} from 'purgecss';
const page = '<main><shop-pay offer="gold"></shop-pay></main>';
const script = `customElements.define('shop-pay', class extends HTMLElement {
  connectedCallback() {
    this.attachShadow({mode: 'open'}).innerHTML = '<style>b{color:var(--pay-accent,#00c)}</style><b class="paid">149,90</b>';
  }
});`;
const css = ':root{--page:#eee}main{background:var(--page)}.paid{margin:0}.unused{margin:0}shop-pay{--pay-accent:#c00}';
for (const safelist of [undefined, {variables: ['--pay-accent']}]) {
  const content = [{raw: page, extension: 'html'}, {raw: script, extension: 'js'}];
  const [result] = await new PurgeCSS().purge({content, css: [{raw: css}], variables: true, safelist});
  console.log(`${safelist ? 'with' : 'without'} safelist: ${result.css}`);
}
END
echo "purgecss $(node -p "JSON.parse(require('fs').readFileSync('node_modules/purgecss/package.json', 'utf8')).version")"
node purge.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'without safelist: :root{--page:#eee}main{background:var(--page)}.paid{margin:0}shop-pay{}' ]]
[[ $(sed -n 2p seen.txt) == 'with safelist: :root{--page:#eee}main{background:var(--page)}.paid{margin:0}shop-pay{--pay-accent:#c00}' ]]

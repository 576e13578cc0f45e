#!/usr/bin/env bash
# web-resource-inliner 8.0.0, which puts the files that a page names into the page, with a module script.
# Expected: `type="module"` stays, as `async`, `defer` and `nonce` do, and as inline-source 8.0.3 keeps it. Seen: it is
# removed, with `src`, so the script is a classic one. One with `import` or `await` outside a function is then refused as
# a whole, and any other runs before the rest of the page is there.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund web-resource-inliner@8.0.0 inline-source@8.0.3

cat >pay.js <<'END'
const offer = await Promise.resolve('gold');
document.querySelector('shop-pay').setAttribute('offer', offer);
END
cat >inline.mjs <<'END'
import {readFileSync} from 'node:fs';
import {Script} from 'node:vm';
import {inlineSource} from 'inline-source';
import inliner from 'web-resource-inliner';
const page = '<script type="module" src="pay.js" async nonce="n" inline></script><shop-pay></shop-pay>';
const pages = {
  'web-resource-inliner': await new Promise((resolve, reject) => {
    const options = {fileContent: page.replace(' inline', ''), relativeTo: '.', scripts: true};
    inliner.html(options, (error, html) => (error ? reject(error) : resolve(html)));
  }),
  'inline-source': await inlineSource(page, {rootpath: '.', compress: false}),
};
for (const [name, html] of Object.entries(pages)) {
  const [, tag, script] = /(<script[^>]*>)([^]*?)<\/script>/.exec(html);
  let sound = 'read';
  if (!tag.includes('module')) {
    try {
      new Script(script);
    } catch (error) {
      sound = `refused: ${error.name}`;
    }
  }
  console.log(`${name}: ${tag} ${script.trim() === readFileSync('pay.js', 'utf8').trim() ? 'whole' : 'changed'}, ${sound}`);
}
END
for library in web-resource-inliner inline-source; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node inline.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'web-resource-inliner: <script async nonce="n"> whole, refused: SyntaxError' ]]
[[ $(sed -n 2p seen.txt) == 'inline-source: <script type="module" async nonce="n"> whole, read' ]]

#!/usr/bin/env bash
# http-cache-semantics 4.3.0, how long an answer with `Cache-Control: Public, Max-Age=300` may be used, as some proxies and
# servers spell it. By RFC 9111, section 5.2, names of directives are compared without their case.
# Expected: 300 seconds, as for `public, max-age=300`, as @tusbar/cache-control 3.0.1 reads it, and undici 7.30.2 asks the server
# once. Seen: none, and it must be asked again each time. So a list that changes once a day is fetched for every visitor.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund http-cache-semantics@4.3.0 @tusbar/cache-control@3.0.1 undici@7.30.2

cat >cache.cjs <<'END'
const {createServer} = require('node:http');
const CachePolicy = require('http-cache-semantics');
const {Agent, interceptors, request} = require('undici');
const {parse} = require('@tusbar/cache-control');
(async () => {
  for (const cacheControl of ['public, max-age=300', 'Public, Max-Age=300']) {
    const asked = {url: '/', method: 'GET', headers: {}};
    const policy = new CachePolicy(asked, {status: 200, headers: {'cache-control': cacheControl}});
    let requests = 0;
    const server = createServer((_request, answer) => {
      requests++;
      answer.writeHead(200, {'cache-control': cacheControl}).end('{}');
    });
    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    const dispatcher = new Agent().compose(interceptors.cache());
    for (let time = 0; time < 3; time++) {
      await (await request(`http://127.0.0.1:${server.address().port}`, {dispatcher})).body.dump();
    }
    server.close();
    server.closeAllConnections();
    const usable = policy.satisfiesWithoutRevalidation(asked) ? 'usable' : 'ask again';
    console.log(`${cacheControl}: ${policy.maxAge()} s, ${usable}; @tusbar ${parse(cacheControl).maxAge} s; undici asked ${requests} of 3 times`);
  }
})();
END
for library in http-cache-semantics @tusbar/cache-control undici; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node cache.cjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'public, max-age=300: 300 s, usable; @tusbar 300 s; undici asked 1 of 3 times' ]]
[[ $(sed -n 2p seen.txt) == 'Public, Max-Age=300: 0 s, ask again; @tusbar 300 s; undici asked 1 of 3 times' ]]

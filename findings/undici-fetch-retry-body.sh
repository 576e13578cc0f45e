#!/usr/bin/env bash
# undici 7.30.2, `fetch` with a RetryAgent (default options) and a PUT whose body is a string, answered with 503 and then 200.
# Expected: the same request again, as undici's own `request` sends it, or the error UND_ERR_REQ_RETRY, which the documentation
# promises for a body that cannot be read twice. Seen: the second request reaches the server without its body, and `fetch`
# rejects with a mismatch of the content length, so the caller learns neither the 503 nor what came of the write. 8.13.1 does
# the same under Node 22.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund undici@7.30.2

cat >put.mjs <<'END'
import {createServer} from 'node:http';
import {Agent, RetryAgent, fetch, request} from 'undici';
for (const [name, send] of Object.entries({request, fetch})) {
  const bodies = [];
  const server = createServer(async (req, res) => {
    let body = '';
    for await (const piece of req) body += piece;
    bodies.push(body || 'nothing');
    res.writeHead(bodies.length === 1 ? 503 : 200).end();
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  const dispatcher = new RetryAgent(new Agent(), {minTimeout: 50});
  let outcome;
  try {
    const answer = await send(`http://127.0.0.1:${server.address().port}`, {method: 'PUT', body: '{"a":1}', dispatcher});
    outcome = answer.statusCode ?? answer.status;
  } catch (error) {
    outcome = error.cause.code;
  }
  await new Promise((done) => setTimeout(done, 300));
  console.log(`${name}: ${outcome}, the server got ${bodies.join(' and ')}`);
  await dispatcher.close().catch(() => {});
  server.closeAllConnections();
  server.close();
}
process.exit();
END
echo "undici $(node -p 'JSON.parse(require("fs").readFileSync("node_modules/undici/package.json", "utf8")).version')"
node put.mjs | tee seen.txt
[[ $(cat seen.txt) == $'request: 200, the server got {"a":1} and {"a":1}\nfetch: UND_ERR_REQ_CONTENT_LENGTH_MISMATCH, the server got {"a":1} and nothing' ]]

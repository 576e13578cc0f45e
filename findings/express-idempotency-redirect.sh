#!/usr/bin/env bash
# express-idempotency 1.0.6 with Express 5.3.0. A client repeats a POST with its Idempotency-Key, as after a lost answer.
# Expected: the first answer again, whichever way the handler gave it. Seen: only what went through Express's `send` (and
# `json` and `sendStatus`, which call it) is kept. After `redirect`, a file or an answer written in parts, every repetition gets
# 409 "still in progress", also long after the first request ended. Of a kept answer, Location is lost.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund express@5.3.0 express-idempotency@1.0.6

cat >serve.cjs <<'END'
const express = require('express');
const {getSharedIdempotencyService, idempotency} = require('express-idempotency');
const ways = {
  json: (answer) => answer.status(201).location('/refunds/1').json({id: 1}),
  sendStatus: (answer) => answer.sendStatus(204),
  redirect: (answer) => answer.redirect(303, '/refunds/1'),
  write: (answer) => {
    answer.type('text/csv').write('refund;amount\n');
    answer.end('1;149,90\n');
  },
};
let runs = 0;
const app = express();
app.use(idempotency());
app.post('/:way', (request, answer) => {
  if (getSharedIdempotencyService().isHit(request)) return;
  runs++;
  ways[request.params.way](answer);
});
app.use((error, _request, answer, next) => (answer.headersSent ? next(error) : answer.send(error.message)));
const server = app.listen(0, '127.0.0.1', async () => {
  for (const way of Object.keys(ways)) {
    const seen = [];
    for (let time = 0; time < 2; time++) {
      const answer = await fetch(`http://127.0.0.1:${server.address().port}/${way}`, {
        method: 'POST',
        redirect: 'manual',
        headers: {'idempotency-key': way},
      });
      await answer.arrayBuffer();
      await new Promise((done) => setTimeout(done, 100));
      seen.push(`${answer.status} ${answer.headers.get('location') ?? '-'}`);
    }
    console.log(`${way}: ${seen.join(', again ')}`);
  }
  console.log(`${runs} runs`);
  server.close();
  server.closeAllConnections();
});
END
for library in express-idempotency express; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node serve.cjs | tee seen.txt
[[ $(cat seen.txt) == $'json: 201 /refunds/1, again 201 -\nsendStatus: 204 -, again 204 -\nredirect: 303 /refunds/1, again 409 -\nwrite: 200 -, again 409 -\n4 runs' ]]

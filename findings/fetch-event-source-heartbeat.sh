#!/usr/bin/env bash
# @microsoft/fetch-event-source 2.0.1, a stream of events whose server sends a comment (`: ping`) now and then, so that no proxy
# closes it. By the HTML standard, comments are ignored, and an event without data is not given to the page.
# Expected: one message, the payment, on one connection, as with eventsource 4.1.1. Seen: each comment is a message with an empty
# text. `JSON.parse` of it throws, and an error in `onmessage` ends the connection, so the page connects again until the
# next comment, and learns of no payment.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @microsoft/fetch-event-source@2.0.1 eventsource@4.1.1 jsdom@29.1.1

cat >listen.mjs <<'END'
import {createServer} from 'node:http';
import {EventSource} from 'eventsource';
import {JSDOM} from 'jsdom';
globalThis.window = globalThis;
globalThis.document = new JSDOM('').window.document;
const {fetchEventSource} = (await import('@microsoft/fetch-event-source/lib/cjs/index.js')).default;
let connections = 0;
const server = createServer((_request, answer) => {
  connections++;
  answer.writeHead(200, {'content-type': 'text/event-stream'});
  setTimeout(() => answer.write(': ping\n\n'), 100);
  setTimeout(() => answer.write('data: {"state":"paid"}\n\n'), 300);
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));
const url = `http://127.0.0.1:${server.address().port}/`;
const ways = {
  'fetch-event-source': (onmessage) => {
    const controller = new AbortController();
    fetchEventSource(url, {onmessage, onerror: () => 200, signal: controller.signal});
    return () => controller.abort();
  },
  eventsource: (onmessage) => {
    const source = new EventSource(url);
    source.onmessage = onmessage;
    return () => source.close();
  },
};
for (const [name, listen] of Object.entries(ways)) {
  connections = 0;
  const texts = new Set();
  const states = new Set();
  const stop = listen(({data}) => {
    texts.add(JSON.stringify(data));
    states.add(JSON.parse(data).state);
  });
  await new Promise((done) => setTimeout(done, 2000));
  stop();
  console.log(`${name}: ${connections === 1 ? 'one connection' : 'connects again'}, texts ${[...texts]}, states ${[...states]}`);
}
server.close();
server.closeAllConnections();
END
for library in @microsoft/fetch-event-source eventsource; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node listen.mjs | tee seen.txt
[[ $(sed -n 1p seen.txt) == 'fetch-event-source: connects again, texts "", states ' ]]
[[ $(sed -n 2p seen.txt) == 'eventsource: one connection, texts "{\"state\":\"paid\"}", states paid' ]]

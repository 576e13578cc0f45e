#!/usr/bin/env bash
# launchdarkly-eventsource 2.2.0, eventsource-client 1.2.0 and event-source-polyfill 1.0.31, a stream of events whose server
# moves the client's position with an id alone (`id: 57`), after events that are not for this client.
# Expected: after the connection was lost, the client asks for what follows 57. By WHATWG's HTML, an id counts when the block
# ends, also if it has no data, and undici 7.30.2 does so. Seen: all three ask for what follows 41, the last event with
# data. So the server reads and sends again what it had passed over, or refuses a position that it no longer has.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund launchdarkly-eventsource@2.2.0 eventsource-client@1.2.0 event-source-polyfill@1.0.31 undici@7.30.2

cat >read.mjs <<'END'
import {createServer} from 'node:http';
import polyfill from 'event-source-polyfill';
import {createEventSource} from 'eventsource-client';
import launchdarkly from 'launchdarkly-eventsource';
import {EventSource} from 'undici';
const standard = (Client) => (url) => Object.assign(new Client(url), {onerror() {}});
const clients = {
  'launchdarkly-eventsource': standard(launchdarkly.EventSource),
  'eventsource-client': (url) => createEventSource({url, onMessage() {}}),
  'event-source-polyfill': standard(polyfill.EventSourcePolyfill),
  undici: standard(EventSource),
};
for (const [name, open] of Object.entries(clients)) {
  let client;
  let connections = 0;
  const asked = await new Promise((resolve) => {
    const server = createServer((request, response) => {
      response.writeHead(200, {'content-type': 'text/event-stream'});
      response.write('retry: 100\n\n');
      if (++connections === 1) {
        response.write('id: 41\ndata: {"paid": 42}\n\nid: 57\n\n');
        setTimeout(() => response.end(), 200);
        return;
      }
      // The polyfill sends it as a parameter of the address.
      resolve(request.headers['last-event-id'] ?? new URL(request.url, 'http://127.0.0.1').searchParams.get('lastEventId'));
      client.close();
      server.close();
      server.closeAllConnections();
    });
    server.listen(0, '127.0.0.1', () => {
      client = open(`http://127.0.0.1:${server.address().port}/`);
    });
  });
  console.log(`${name}: ${asked}`);
}
process.exit();
END
for library in launchdarkly-eventsource eventsource-client event-source-polyfill undici; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node --no-warnings read.mjs | tee seen.txt
[[ $(cat seen.txt) == $'launchdarkly-eventsource: 41\neventsource-client: 41\nevent-source-polyfill: 41\nundici: 57' ]]

#!/usr/bin/env bash
# @azure/core-sse 2.4.0, a stream of events in which the server sends an event of type ping without data now and then.
# Expected: an event without data is dropped with its type, as WHATWG's HTML defines and eventsource-parser 3.1.1 does it, so
# the next event, which has no type of its own, is a message. Seen: the data is dropped and the type stays, so that the
# payment behind a ping arrives as ping and is taken for one. An event with a type of its own, and one behind a comment, are
# right.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @azure/core-sse@2.4.0 eventsource-parser@3.1.1

cat >read.mjs <<'END'
import {createSseStream} from '@azure/core-sse';
import {createParser} from 'eventsource-parser';
for (const before of ['', ': ping\n\n', 'event: ping\n\n']) {
  const text = `${before}data: {"paid": 42}\n\n`;
  const name = JSON.stringify(before);
  for await (const {event, data} of createSseStream(new Response(text).body)) console.log(`@azure/core-sse ${name}: "${event}" ${data}`);
  createParser({onEvent: ({event, data}) => console.log(`eventsource-parser ${name}: "${event ?? ''}" ${data}`)}).feed(text);
}
END
for library in @azure/core-sse eventsource-parser; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.mjs | tee seen.txt
[[ $(grep @azure seen.txt) == '@azure/core-sse "": "" {"paid": 42}
@azure/core-sse ": ping\n\n": "" {"paid": 42}
@azure/core-sse "event: ping\n\n": "ping" {"paid": 42}' ]]
[[ $(grep '^eventsource-parser "event' seen.txt) == 'eventsource-parser "event: ping\n\n": "" {"paid": 42}' ]]

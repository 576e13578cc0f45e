#!/usr/bin/env bash
# parse-sse 0.1.0 with a stream of events whose lines end with CR LF, which may reach the reader in pieces of any size.
# Expected: the same event wherever a piece ends, as eventsource-parser 3.1.1 gives it. Seen: if a piece ends between CR and
# LF, the line feed counts as an empty line, and what was read is closed. The event loses its type, and its two lines of data
# arrive as two messages, so that neither is the JSON that was sent.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund parse-sse@0.1.0 eventsource-parser@3.1.1

cat >read.mjs <<'END'
import {parseServerSentEvents} from 'parse-sse';
import {EventSourceParserStream} from 'eventsource-parser/stream';
const sent = new TextEncoder().encode('id: 7\r\nevent: paid\r\ndata: {"amount":\r\ndata: "149.90"}\r\n\r\n');
const response = (size) => {
  const pieces = Array.from({length: Math.ceil(sent.length / size)}, (_, i) => sent.subarray(i * size, (i + 1) * size));
  return new Response(ReadableStream.from(pieces), {headers: {'content-type': 'text/event-stream'}});
};
const readers = {
  'parse-sse': (size) => parseServerSentEvents(response(size)),
  'eventsource-parser': (size) =>
    response(size).body.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream()),
};
for (const [library, read] of Object.entries(readers)) {
  for (const size of [sent.length, 1]) {
    const events = [];
    for await (const {type, event, data} of read(size)) events.push(`${type ?? event} ${JSON.stringify(data)}`);
    console.log(`${library}, pieces of ${size}: ${events.join(' | ')}`);
  }
}
END
for library in parse-sse eventsource-parser; do
  echo "$library $(node -p "JSON.parse(require('fs').readFileSync('node_modules/$library/package.json', 'utf8')).version")"
done
node read.mjs | tee seen.txt
whole='paid "{\"amount\":\n\"149.90\"}"'
[[ $(sed -n 1p seen.txt) == *": $whole" && $(sed -n 3p seen.txt) == *": $whole" && $(sed -n 4p seen.txt) == *": $whole" ]]
[[ $(sed -n 2p seen.txt) == 'parse-sse, pieces of 1: message "{\"amount\":" | message "\"149.90\"}"' ]]

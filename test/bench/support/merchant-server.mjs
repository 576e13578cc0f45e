// @ts-check
// A merchant's web server. It serves files from memory, compressed with gzip as a public server would.

import {createServer} from 'node:http';
import {gzipSync} from 'node:zlib';
import {listen} from './listen.mjs';

/** The only answer of the stub for Adyen's backend. */
const stub = {type: 'application/json', body: gzipSync(JSON.stringify({checkoutAttemptId: 'placeholder'}))};

/** @returns {Promise<{origin: string, add(files: import('./pages.mjs').Files): void, stop(): Promise<void>}>} */
export async function serveMerchant() {
  /** @type {Map<string, {type: string, body: Buffer}>} */
  const compressed = new Map();
  const server = createServer(({url = ''}, response) => {
    const file = url.startsWith('/stub-of-test/') ? stub : compressed.get(url);
    if (!file) return void response.writeHead(404).end();
    response
      .writeHead(200, {
        'content-type': file.type,
        'content-encoding': 'gzip',
        'content-length': file.body.length,
        'cache-control': 'public, max-age=300',
      })
      .end(file.body);
  });
  return {
    ...(await listen(server)),
    add(files) {
      for (const [path, {type, body}] of files) compressed.set(path, {type, body: gzipSync(body)});
    },
  };
}

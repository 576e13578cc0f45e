// @ts-check
// Measures the time that the merchant API adds to the platform's answer. Sends `GET /merchant/v1/transactions/{id}`
// alternately to the Worker, which checks the key and schemas and maps the answer, and to a Worker that does nothing
// but forward requests. Both run in the same workerd and call the same platform. Fails if the median is more than one
// millisecond longer.

import {mkdtempSync, rmSync} from 'node:fs';
import http from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundleWorker, serveWorkerd} from './support/workerd.mjs';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const rounds = Math.max(3, Math.round(15 * scale));
const requests = Math.max(100, Math.round(2000 * scale));
const MAX_ADDED_MS = 1;
const route = '/merchant/v1/transactions/77001';
const headers = {authorization: 'Bearer sandbox-merchant-api-key'};

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
const bundle = await bundleWorker(folder);
const workerd = await serveWorkerd(folder, bundle);
const agent = new http.Agent({keepAlive: true, maxSockets: 16});

try {
  // The first request fetches the platform's token. While the token is valid, the Worker calls no Durable Object for it
  // (test: warm-token.test.ts).
  const body = await sendRequest(workerd.vezne);
  if (!body.includes('"state":"successful"')) throw new Error(body);
  await sendRequest(workerd.forwarding);
  console.log(`${rounds} rounds of ${requests} requests to each Worker, alternately, same workerd, same platform`);
  console.log('parallel   vezne p50 ms   forwarding p50 ms   added ms   vezne /s   forwarding /s   ratio');
  const {added} = await compare(1);
  await compare(16);
  if (added > MAX_ADDED_MS) {
    console.error(`The merchant API adds ${added.toFixed(2)} ms, more than the allowed ${MAX_ADDED_MS} ms.`);
    process.exitCode = 1;
  }
} finally {
  agent.destroy();
  await workerd.stop();
  rmSync(folder, {recursive: true, force: true});
}

/** @param {number} concurrency */
async function compare(concurrency) {
  await load(workerd.vezne, concurrency);
  await load(workerd.forwarding, concurrency);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const vezne = await load(workerd.vezne, concurrency);
    const forwarding = await load(workerd.forwarding, concurrency);
    pairs.push({vezne, forwarding});
  }
  const added = median(pairs.map(({vezne, forwarding}) => vezne.p50 - forwarding.p50));
  const columns = [
    [concurrency, 8, 0],
    [median(pairs.map(({vezne}) => vezne.p50)), 15, 2],
    [median(pairs.map(({forwarding}) => forwarding.p50)), 20, 2],
    [added, 11, 2],
    [median(pairs.map(({vezne}) => vezne.perSecond)), 11, 0],
    [median(pairs.map(({forwarding}) => forwarding.perSecond)), 16, 0],
    [median(pairs.map(({vezne, forwarding}) => vezne.perSecond / forwarding.perSecond)), 8, 2],
  ];
  console.log(columns.map(([value = 0, width = 0, digits = 0]) => value.toFixed(digits).padStart(width)).join(''));
  return {added};
}

/** @param {number} port @param {number} concurrency */
async function load(port, concurrency) {
  /** @type {number[]} */
  const times = [];
  const startedAt = performance.now();
  const sendAll = async () => {
    for (let count = 0; count < requests / concurrency; count += 1) {
      const sentAt = performance.now();
      await sendRequest(port);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({length: concurrency}, sendAll));
  return {perSecond: (times.length * 1000) / (performance.now() - startedAt), p50: median(times)};
}

/** @param {number} port @returns {Promise<string>} */
function sendRequest(port) {
  return new Promise((resolve, reject) => {
    const request = http.request({host: '127.0.0.1', port, path: route, headers, agent}, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${response.statusCode}: ${text}`)),
      );
    });
    request.on('error', reject);
    request.end();
  });
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

// @ts-check
// What the merchant API adds to the platform's answer: `GET /merchant/v1/transactions/{id}` (key, schemas, our words) against a Worker that
// only passes on, in the same workerd, to the same platform, in turns. The promise is a median of at most a millisecond more.

import {mkdtempSync, rmSync} from 'node:fs';
import http from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundleWorker, serveWorkerd} from './support/workerd.mjs';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const rounds = Math.max(3, Math.round(15 * scale));
const requests = Math.max(100, Math.round(2000 * scale));
const PROMISE_MS = 1;
const route = '/merchant/v1/transactions/77001';
const headers = {authorization: 'Bearer sandbox-merchant-api-key'};

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
const bundle = await bundleWorker(folder);
const workerd = await serveWorkerd(folder, bundle);
const agent = new http.Agent({keepAlive: true, maxSockets: 16});

try {
  // The first asks for the token; no object is asked again while it is good, which warm-token.test.ts holds.
  const body = await ask(workerd.vezne);
  if (!body.includes('"state":"successful"')) throw new Error(body);
  await ask(workerd.passing);
  console.log(`${rounds} rounds of ${requests} requests to each, in turns, same workerd, same platform`);
  console.log('at once   ours p50 ms   passing p50 ms   added ms   ours /s   passing /s   ratio');
  const one = await compare(1);
  await compare(16);
  if (one.added > PROMISE_MS) {
    console.error(`The merchant API adds ${one.added.toFixed(2)} ms, more than the ${PROMISE_MS} ms it promises.`);
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
  await load(workerd.passing, concurrency);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const ours = await load(workerd.vezne, concurrency);
    const passing = await load(workerd.passing, concurrency);
    pairs.push({ours, passing});
  }
  const ours = median(pairs.map((pair) => pair.ours.p50));
  const passing = median(pairs.map((pair) => pair.passing.p50));
  const added = median(pairs.map((pair) => pair.ours.p50 - pair.passing.p50));
  const perSecond = [
    median(pairs.map((pair) => pair.ours.perSecond)),
    median(pairs.map((pair) => pair.passing.perSecond)),
  ];
  const ratio = median(pairs.map((pair) => pair.ours.perSecond / pair.passing.perSecond));
  const columns = [
    [concurrency, 7, 0],
    [ours, 14, 2],
    [passing, 17, 2],
    [added, 11, 2],
    [perSecond[0] ?? 0, 10, 0],
    [perSecond[1] ?? 0, 13, 0],
    [ratio, 8, 2],
  ];
  console.log(columns.map(([value = 0, width = 0, digits = 0]) => value.toFixed(digits).padStart(width)).join(''));
  return {added};
}

/** @param {number} port @param {number} concurrency */
async function load(port, concurrency) {
  /** @type {number[]} */
  const times = [];
  const startedAt = performance.now();
  const lane = async () => {
    for (let count = 0; count < requests / concurrency; count += 1) {
      const at = performance.now();
      await ask(port);
      times.push(performance.now() - at);
    }
  };
  await Promise.all(Array.from({length: concurrency}, lane));
  return {perSecond: (times.length * 1000) / (performance.now() - startedAt), p50: median(times)};
}

/** @param {number} port @returns {Promise<string>} */
function ask(port) {
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

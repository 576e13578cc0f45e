// @ts-check
// Compares the merchant API with a bare Worker that only passes requests on to the platform. Sends `GET
// /merchant/v1/transactions/{id}` alternately to both. Our Worker also checks the key and the schemas, and maps the
// answer. Both run in the same workerd and call the same platform. Fails if our Worker answers fewer than 0.6 times as
// many requests per second as the bare Worker, or if its median time is more than one millisecond longer.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {reportComparison, reportHead, WorkerComparison} from './support/compare-workers.mjs';
import {bundleWorker, serveWorkerd} from './support/workerd.mjs';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const rounds = Math.max(3, Math.round(30 * scale));
const requests = Math.max(100, Math.round(1000 * scale));
const MAX_ADDED_MS = 1;
const MIN_RATIO = 0.6;
const call = {
  path: '/merchant/v1/transactions/77001',
  headers: {authorization: 'Bearer sandbox-merchant-api-key'},
};

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
const bundle = await bundleWorker(folder);
const workerd = await serveWorkerd(folder, bundle);
const comparison = new WorkerComparison({rounds, requests, maxConcurrency: 16});

try {
  // The first request fetches the platform's token. While the token is valid, the Worker calls no Durable Object for it
  // (test: warm-token.test.ts).
  const body = await comparison.send({...call, port: workerd.vezne});
  if (!body.includes('"state":"successful"')) throw new Error(body);
  console.log(`${rounds} rounds of ${requests} requests to each Worker, alternately, same workerd, same platform`);
  reportHead('forwarding');
  const alone = await compareAt(1);
  const parallel = await compareAt(16);
  for (const {ratio} of [alone, parallel])
    if (ratio < MIN_RATIO) fail(`reaches ${ratio.toFixed(2)} of the forwarding Worker, less than ${MIN_RATIO}`);
  if (alone.addedMs > MAX_ADDED_MS) fail(`adds ${alone.addedMs.toFixed(2)} ms, more than ${MAX_ADDED_MS} ms`);
} finally {
  comparison.close();
  await workerd.stop();
  rmSync(folder, {recursive: true, force: true});
}

/** @param {number} concurrency */
async function compareAt(concurrency) {
  const vezne = {...call, port: workerd.vezne};
  const result = await comparison.compare(vezne, {...call, port: workerd.forwarding}, concurrency);
  reportComparison(`${concurrency} in parallel`, 'forwarding', result);
  return result;
}

/** @param {string} problem */
function fail(problem) {
  console.error(`The merchant API ${problem}.`);
  process.exitCode = 1;
}

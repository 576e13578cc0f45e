// @ts-check
// Compares `GET /v1/payment` with a bare Worker that gets the same text from one Durable Object, and `GET /v1/banks`
// (from the cache) with a bare Worker that returns the same text itself. All these Workers run in the same workerd, in
// alternating rounds. Fails if our Worker answers fewer than 0.6 times as many requests for a payment per second as the
// bare Worker.

import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {reportComparison, reportHead, WorkerComparison} from './support/compare-workers.mjs';
import {bundleWorker, serveWorkerd} from './support/workerd.mjs';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const rounds = Math.max(3, Math.round(30 * scale));
const requests = Math.max(100, Math.round(1500 * scale));
const concurrency = 16;
const MIN_RATIO = 0.6;
const origin = 'https://shop.example';

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
const bundle = await bundleWorker(folder);
const workerd = await serveWorkerd(folder, bundle);
const comparison = new WorkerComparison({rounds, requests, maxConcurrency: concurrency});

try {
  const post = {port: workerd.vezne, method: 'POST', headers: {'content-type': 'application/json', origin}};
  const opened = await comparison.send({...post, path: '/v1/sessions', body: '{"offer":"gold"}'});
  const session = {origin, authorization: `Bearer ${JSON.parse(opened).token}`};
  await comparison.send({...post, path: '/v1/order-code', headers: {...post.headers, ...session}, body: '{}'});

  console.log(`${rounds} rounds of ${requests} requests to each Worker, ${concurrency} in parallel, same workerd`);
  reportHead('bare');
  await compareRoute('/v1/banks', {origin}, workerd.bare);
  const ratio = await compareRoute('/v1/payment', session, workerd.asking);
  if (ratio < MIN_RATIO) {
    console.error(`GET /v1/payment reaches ${ratio.toFixed(2)} of the bare Worker, less than ${MIN_RATIO}.`);
    process.exitCode = 1;
  }
} finally {
  comparison.close();
  await workerd.stop();
  rmSync(folder, {recursive: true, force: true});
}

/**
 * @param {string} route
 * @param {Record<string, string>} headers
 * @param {number} port - Port of the bare Worker.
 * @returns {Promise<number>} The ratio.
 */
async function compareRoute(route, headers, port) {
  const call = {port: workerd.vezne, path: route, headers};
  await comparison.send({port, path: '/set', method: 'POST', body: await comparison.send(call)});
  const result = await comparison.compare(call, {...call, port});
  reportComparison(route, 'bare', result);
  return result.ratio;
}

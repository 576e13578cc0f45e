// @ts-check
// Compares `GET /v1/payment` with a bare Worker that gets the same text from one Durable Object, and `GET /v1/banks`
// (from the cache) with a bare Worker that returns the same text itself. All these Workers run in the same workerd, in
// alternating rounds. Fails if our Worker answers fewer than 0.6 times as many requests for a payment per second as the
// bare Worker.

import {checkTime, scaled, withBundles} from './support/bench.mjs';
import {reportComparison, reportHead, WorkerComparison} from './support/compare-workers.mjs';
import {serveWorkerd} from './support/workerd.mjs';

const MIN_RATIO = 0.6;
const rounds = scaled(30, 1);
const requests = scaled(1500, 50);
const concurrency = 16;
const origin = 'https://shop.example';

await withBundles(async (folder, bundles) => {
  const workerd = await serveWorkerd(folder, bundles.worker);
  const comparison = new WorkerComparison({rounds, requests, maxConcurrency: concurrency});
  /**
   * @param {string} route
   * @param {Record<string, string>} headers
   * @param {number} port - Port of the bare Worker.
   * @returns {Promise<number>} The ratio.
   */
  const compareRoute = async (route, headers, port) => {
    const call = {port: workerd.vezne, path: route, headers};
    await comparison.send({port, path: '/set', method: 'POST', body: await comparison.send(call)});
    const result = await comparison.compare(call, {...call, port});
    reportComparison(route, 'bare', result);
    return result.ratio;
  };
  try {
    const post = {port: workerd.vezne, method: 'POST', headers: {'content-type': 'application/json', origin}};
    const opened = await comparison.send({...post, path: '/v1/sessions', body: '{"offer":"gold"}'});
    const session = {origin, authorization: `Bearer ${JSON.parse(opened).token}`};
    await comparison.send({...post, path: '/v1/order-code', headers: {...post.headers, ...session}, body: '{}'});

    console.log(`${rounds} rounds of ${requests} requests to each Worker, ${concurrency} in parallel, same workerd`);
    reportHead('bare');
    await compareRoute('/v1/banks', {origin}, workerd.bare);
    const ratio = await compareRoute('/v1/payment', session, workerd.asking);
    checkTime(
      `${ratio.toFixed(2)} of the bare Worker’s requests for a payment, at least ${MIN_RATIO}`,
      ratio >= MIN_RATIO,
    );
  } finally {
    comparison.close();
    await workerd.stop();
  }
});

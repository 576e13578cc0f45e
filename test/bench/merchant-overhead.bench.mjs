// @ts-check
// Compares the merchant API with a bare Worker that only passes requests on to the platform. Sends `GET
// /merchant/v1/transactions/{id}` alternately to both. Our Worker also checks the key and the schemas, and maps the
// answer. Both run in the same workerd and call the same platform. Fails if our Worker answers fewer than 0.6 times as
// many requests per second as the bare Worker, or if its median time is more than one millisecond longer.

import {check, checkTime, scaled, withBundles} from './support/bench.mjs';
import {reportComparison, reportHead, WorkerComparison} from './support/compare-workers.mjs';
import {serveWorkerd} from './support/workerd.mjs';

const MAX_ADDED_MS = 1;
const MIN_RATIO = 0.6;
const rounds = scaled(30, 1);
const requests = scaled(1000, 50);
const call = {
  path: '/merchant/v1/transactions/77001',
  headers: {authorization: 'Bearer sandbox-merchant-api-key'},
};

await withBundles(async (folder, bundles) => {
  const workerd = await serveWorkerd(folder, bundles.worker);
  const comparison = new WorkerComparison({rounds, requests, maxConcurrency: 16});
  try {
    // The first request fetches the platform's token. While the token is valid, the Worker calls no Durable Object for
    // it (test: warm-token.test.ts).
    const body = await comparison.send({...call, port: workerd.vezne});
    check('the Worker answers with the transaction', body.includes('"state":"successful"'));
    console.log(`${rounds} rounds of ${requests} requests to each Worker, alternately, same workerd, same platform`);
    reportHead('forwarding');
    for (const concurrency of [1, 16]) {
      const ours = {...call, port: workerd.vezne};
      const result = await comparison.compare(ours, {...call, port: workerd.forwarding}, concurrency);
      reportComparison(`${concurrency} in parallel`, 'forwarding', result);
      const {ratio, addedMs} = result;
      checkTime(`${ratio.toFixed(2)} of the forwarding Worker’s requests, at least ${MIN_RATIO}`, ratio >= MIN_RATIO);
      if (concurrency === 1)
        checkTime(`${addedMs.toFixed(2)} ms added, at most ${MAX_ADDED_MS} ms`, addedMs <= MAX_ADDED_MS);
    }
  } finally {
    comparison.close();
    await workerd.stop();
  }
});

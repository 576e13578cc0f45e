// @ts-check
// Measures the time that the relay adds to a call. Sends `GET /merchant/v1/transactions/{id}` alternately to two
// Workers in one workerd. One Worker calls the platform directly and keeps its connection. The other calls the
// platform through a relay, which opens a connection for every call. Everything runs on this machine. On a real network,
// a call also takes the time to and from the relay. The new connection takes one more round trip to the platform
// without TLS, or two with TLS.

import http from 'node:http';
import {setTimeout as wait} from 'node:timers/promises';
import {MAX_AHEAD_MS} from '../../relay/admission.ts';
import {planWorker} from '../faults/support/worker-plans.ts';
import {Workerd} from '../faults/support/workerd.ts';
import {runRelay} from '../relay/support/relay-process.ts';
import {checkTime, median, quantile, scaled, withBundles} from './support/bench.mjs';
import {listen} from './support/listen.mjs';

const MAX_ADDED_MS = 10;
const rounds = scaled(15, 1);
const requests = scaled(1000, 50);
const KEY = 'sandbox-merchant-api-key';
const RELAY_SECRET = 'sandbox-relay-secret-that-is-long-enough';
const headers = {authorization: `Bearer ${KEY}`};
const route = '/merchant/v1/transactions/77001';

const ok = {status: '000', message: 'Success'};
const transaction = {
  id: 77001,
  merchant: '123',
  merchant_name: 'Demo',
  bank_id: 6,
  bank_code: 'bank6',
  bank_name: 'Bank 6',
  service_id: 1,
  service_name: 'Demo',
  service_code: 'DEMO',
  code: '881200450017',
  amount: '149.90',
  currency: 'TL',
  user_name: 'Deniz',
  order_refno: 'S-1009',
  remote_bank: null,
  remote_description: '881200450017',
  transaction_date: '2026-11-21 15:42:00',
  transaction_type: 1,
  create_time: '2026-11-21 15:42:05',
  status: 3,
};

const platform = http.createServer((request, response) => {
  const answer = request.url?.endsWith('/getToken')
    ? {...ok, token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'}
    : {...ok, transaction};
  request.resume().on('end', () => response.end(JSON.stringify(answer)));
});
const {origin, stop} = await listen(platform);
const relay = await runRelay({RELAY_SECRET, PHS_URL: `${origin}/phs`});
const vars = {MERCHANT_API_KEY: KEY};
const [workers] = await Promise.all([
  withBundles((_, bundles) =>
    Workerd.start([
      planWorker('direct', bundles, origin, vars),
      planWorker('relay', bundles, origin, {...vars, EGRESS: 'relay', RELAY_URL: relay.url, RELAY_SECRET}),
    ]),
  ),
  // For this time after its start, a relay forwards no calls. Calls that it refuses would open the Worker's circuit.
  wait(MAX_AHEAD_MS + 1),
]);
const agent = new http.Agent({keepAlive: true, maxSockets: 16});

try {
  console.log(`${rounds} rounds of ${requests} requests to each Worker, alternately, same workerd, same platform`);
  console.log(
    'parallel   direct p50 ms   relay p50 ms   added p50 ms   direct p95 ms   relay p95 ms   direct /s   relay /s',
  );
  const added = await compare(1);
  await compare(16);
  checkTime(`the relay adds ${added.toFixed(2)} ms, at most ${MAX_ADDED_MS} ms`, added <= MAX_ADDED_MS);
} finally {
  agent.destroy();
  await workers.stop();
  await relay.end('SIGKILL');
  await stop();
}

/** @param {number} concurrency */
async function compare(concurrency) {
  await load('direct', concurrency);
  await load('relay', concurrency);
  /** @type {{direct: Awaited<ReturnType<typeof load>>, relay: Awaited<ReturnType<typeof load>>}[]} */
  const pairs = [];
  for (let round = 0; round < rounds; round += 1)
    pairs.push({direct: await load('direct', concurrency), relay: await load('relay', concurrency)});
  /** @param {(pair: (typeof pairs)[number]) => number} figure */
  const medianOf = (figure) => median(pairs.map(figure));
  const added = medianOf((pair) => pair.relay.p50 - pair.direct.p50);
  const cells = [
    [concurrency, 8, 0],
    [medianOf(({direct}) => direct.p50), 16, 2],
    [medianOf((pair) => pair.relay.p50), 15, 2],
    [added, 15, 2],
    [medianOf(({direct}) => direct.p95), 16, 2],
    [medianOf((pair) => pair.relay.p95), 15, 2],
    [medianOf(({direct}) => direct.perSecond), 12, 0],
    [medianOf((pair) => pair.relay.perSecond), 11, 0],
  ];
  console.log(cells.map(([value = 0, width = 0, digits = 0]) => value.toFixed(digits).padStart(width)).join(''));
  return added;
}

/** @param {string} worker @param {number} concurrency */
async function load(worker, concurrency) {
  /** @type {number[]} */
  const times = [];
  const startedAt = performance.now();
  const sendAll = async () => {
    for (let count = 0; count < requests / concurrency; count += 1) {
      const sentAt = performance.now();
      const status = await sendRequest(worker);
      if (status !== 200) throw new Error(`${worker} answered ${status}`);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({length: concurrency}, sendAll));
  return {
    perSecond: (times.length * 1000) / (performance.now() - startedAt),
    p50: median(times),
    p95: quantile(times, 0.95),
  };
}

/** @param {string} worker @returns {Promise<number>} */
function sendRequest(worker) {
  return new Promise((resolve, reject) => {
    const request = http.request(`${workers.url(worker)}${route}`, {headers, agent}, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', reject);
    request.end();
  });
}

// @ts-check
// Measures the overhead of the Worker. Sends `GET /v1/banks` (cached) and `GET /v1/payment` to the Worker, alternately
// with requests for a static answer of the same size to a bare Worker in the same workerd. The ratio of the throughputs
// is what counts; the times depend on this machine.

import {mkdtempSync, rmSync} from 'node:fs';
import http from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {bundleWorker, serveWorkerd} from './support/workerd.mjs';

const scale = Number(process.env['VEZNE_BENCH_SCALE'] ?? 1);
const rounds = Math.max(3, Math.round(15 * scale));
const requests = Math.max(100, Math.round(3000 * scale));
const concurrency = 16;
const origin = 'https://shop.example';

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-bench-'));
const bundle = await bundleWorker(folder);
const workerd = await serveWorkerd(folder, bundle);
const agent = new http.Agent({keepAlive: true, maxSockets: concurrency});

try {
  const json = {'content-type': 'application/json', origin};
  const {token} = JSON.parse(
    (await sendRequest(workerd.vezne, '/v1/sessions', {method: 'POST', headers: json, body: '{"offer":"gold"}'})).body,
  );
  const session = {origin, authorization: `Bearer ${token}`};
  await sendRequest(workerd.vezne, '/v1/order-code', {method: 'POST', headers: {...json, ...session}, body: '{}'});

  console.log(`${rounds} rounds of ${requests} requests each, ${concurrency} in parallel, same workerd`);
  console.log('route            vezne /s   bare /s   ratio  vezne p50 ms   bare p50 ms');
  for (const [route, headers] of /** @type {const} */ ([
    ['/v1/banks', {origin}],
    ['/v1/payment', session],
  ])) {
    const answer = await sendRequest(workerd.vezne, route, {headers});
    if (answer.status !== 200) throw new Error(`${route} answered ${answer.status}: ${answer.body}`);
    await sendRequest(workerd.bare, '/set', {method: 'POST', body: answer.body});
    report(route, await compare(route, headers));
  }
} finally {
  agent.destroy();
  await workerd.stop();
  rmSync(folder, {recursive: true, force: true});
}

/**
 * @param {string} route
 * @param {Record<string, string>} headers
 */
async function compare(route, headers) {
  await load(workerd.vezne, route, headers, requests);
  await load(workerd.bare, route, headers, requests);
  const pairs = [];
  for (let round = 0; round < rounds; round += 1) {
    const vezne = await load(workerd.vezne, route, headers, requests);
    const bare = await load(workerd.bare, route, headers, requests);
    pairs.push({vezne, bare});
  }
  return pairs;
}

/**
 * @param {string} route
 * @param {{vezne: Load, bare: Load}[]} pairs
 */
function report(route, pairs) {
  console.log(
    route.padEnd(14) +
      column(median(pairs.map(({vezne}) => vezne.perSecond)), 11) +
      column(median(pairs.map(({bare}) => bare.perSecond)), 10) +
      column(median(pairs.map(({vezne, bare}) => vezne.perSecond / bare.perSecond)), 8, 2) +
      column(median(pairs.map(({vezne}) => vezne.p50)), 14, 2) +
      column(median(pairs.map(({bare}) => bare.p50)), 14, 2),
  );
}

/**
 * @param {number} value
 * @param {number} width
 */
function column(value, width, digits = 0) {
  return value.toFixed(digits).padStart(width);
}

/** @typedef {{perSecond: number, p50: number}} Load */

/**
 * @param {number} port
 * @param {string} route
 * @param {Record<string, string>} headers
 * @param {number} count
 * @returns {Promise<Load>}
 */
async function load(port, route, headers, count) {
  /** @type {number[]} */
  const times = [];
  let next = 0;
  const startedAt = performance.now();
  const sendAll = async () => {
    while (next++ < count) {
      const sentAt = performance.now();
      const {status} = await sendRequest(port, route, {headers});
      if (status !== 200) throw new Error(`${route} answered ${status}`);
      times.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({length: concurrency}, sendAll));
  return {perSecond: (count * 1000) / (performance.now() - startedAt), p50: median(times)};
}

/**
 * @param {number} port
 * @param {string} route
 * @param {{method?: string, headers?: Record<string, string>, body?: string}} [request]
 * @returns {Promise<{status: number, body: string}>}
 */
function sendRequest(port, route, {method = 'GET', headers = {}, body} = {}) {
  return new Promise((resolve, reject) => {
    const request = http.request({host: '127.0.0.1', port, path: route, method, headers, agent}, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve({status: response.statusCode ?? 0, body: text}));
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** @param {number[]} values */
function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

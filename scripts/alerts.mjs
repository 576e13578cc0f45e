// @ts-check
// `npm run alerts` checks the alert rules of docs/observability in a real Prometheus, in about three minutes. It tests
// the rules with promtool, and starts the Worker and the sandbox. Then it makes the sandbox end all tokens and issue no
// new ones, and waits until the alert VezneUnhealthy fires. Then it clears the fault, and waits until the alert ends.

import {mkdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {install} from './lib/install.mjs';
import {promtool, requirePrometheus, startPrometheus} from './lib/prometheus.mjs';
import {repoPath, UserError} from './lib/repo.mjs';
import {makeScratchFolder} from './lib/scratch-folder.mjs';

install();
const {freePort} = await import('./lib/ports.mjs');
const {sandboxVars, startSandbox, startWorker, waitForServer, workerVars} = await import('./lib/stack.mjs');

const ALERT = 'VezneUnhealthy';
const TIMEOUT_MS = 240_000;
const rules = repoPath('docs', 'observability', 'alerts.yml');

requirePrometheus();
console.log(promtool(['check', 'rules', rules]));
console.log(promtool(['test', 'rules', repoPath('docs', 'observability', 'alerts.test.yml')]));

const folder = makeScratchFolder();
const [port, sandboxPort, prometheusPort] = [await freePort(), await freePort(), await freePort()];
const worker = `http://localhost:${port}`;
const sandbox = `http://localhost:${sandboxPort}`;
const site = path.join(folder, 'site');
mkdirSync(site);

/** @param {string} url @param {object} body @param {Record<string, string>} [headers] */
const post = (url, body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: {'content-type': 'application/json', origin: worker, ...headers},
    body: JSON.stringify(body),
  });

/** Requests an order code as a page does, so that the Worker needs a token. Returns the HTTP status. */
async function requestOrderCode() {
  const session = await post(`${worker}/v1/sessions`, {offer: 'gold'});
  const {token} = /** @type {{token: string}} */ (await session.json());
  return (await post(`${worker}/v1/order-code`, {}, {authorization: `Bearer ${token}`})).status;
}

/** The state of the alert in Prometheus; `inactive` if Prometheus does not list the alert. */
async function alertState() {
  const answer = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/alerts`).catch(() => null);
  if (!answer?.ok) return 'no answer';
  const {data} = /** @type {{data: {alerts: {state: string, labels: {alertname: string}}[]}}} */ (await answer.json());
  return data.alerts.find(({labels}) => labels.alertname === ALERT)?.state ?? 'inactive';
}

/** @param {string} expected @param {() => Promise<unknown>} [meanwhile] */
async function waitForState(expected, meanwhile = async () => {}) {
  const startedAt = Date.now();
  while ((await alertState()) !== expected) {
    if (Date.now() - startedAt > TIMEOUT_MS) throw new UserError(`${ALERT} did not become ${expected}.`);
    await meanwhile();
    await wait(1000);
  }
  console.log(`${ALERT} is ${expected} after ${Math.round((Date.now() - startedAt) / 1000)} s.`);
}

/** @type {{end: () => Promise<void>}[]} */
const running = [];
try {
  const sandboxServer = startSandbox({
    port: sandboxPort,
    persistTo: path.join(folder, 'sandbox'),
    vars: sandboxVars(worker),
  });
  const workerServer = startWorker({
    port,
    site,
    persistTo: path.join(folder, 'worker'),
    vars: workerVars(sandboxPort, [worker]),
  });
  running.push(sandboxServer, workerServer);
  await waitForServer(sandboxServer, 'The sandbox', sandbox);
  await waitForServer(workerServer, 'The Worker', `${worker}/health`);
  const config = path.join(folder, 'prometheus.yml');
  writeFileSync(
    config,
    JSON.stringify({
      global: {scrape_interval: '2s', evaluation_interval: '2s'},
      rule_files: [rules],
      scrape_configs: [
        {
          job_name: 'vezne',
          metrics_path: '/merchant/v1/metrics',
          authorization: {credentials: 'sandbox-merchant-api-key'},
          static_configs: [{targets: [`localhost:${port}`]}],
        },
      ],
    }),
  );
  running.push(startPrometheus({config, data: path.join(folder, 'data'), port: prometheusPort}));
  if ((await requestOrderCode()) !== 200) throw new UserError('The Worker cannot create an order code.');
  await waitForState('inactive');
  console.log('The platform now issues no tokens.');
  await post(`${sandbox}/_sandbox/tokens/expire`, {});
  await post(`${sandbox}/_sandbox/faults`, {operation: '/getToken', kind: 'status', status: 'ERR_002'});
  await waitForState('firing', requestOrderCode);
  console.log('The platform issues tokens again.');
  await post(`${sandbox}/_sandbox/faults`, {operation: '/getToken', kind: 'clear'});
  await waitForState('inactive', requestOrderCode);
} finally {
  await Promise.all(running.map((server) => server.end()));
}

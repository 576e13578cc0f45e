// @ts-check
// Counts how much of the Worker three walks pass: plays each once in workerd, and prints the files of `worker/` in which a
// function ran, and the classes of Durable Objects that were called.
// A: a transfer, from the sweep that finds it until page and webhook know of it. B: a tap until the code shows.
// C: one refund by the merchant API.

import {randomUUID} from 'node:crypto';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:http';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {parseAst} from 'vite';
import {startNode} from '../../cli/child-process.mjs';
import {quietWranglerEnv} from '../../cli/servers.mjs';
import {tools} from '../../scripts/lib/repo.mjs';
import {bundleSandbox} from '../faults/support/bundles.ts';
import {SandboxControls} from '../faults/support/sandbox-controls.ts';
import {ORIGIN, planSandbox, planWorker} from '../faults/support/worker-plans.ts';
import {Workerd} from '../faults/support/workerd.ts';
import {SECRET} from '../support/webhook-inbox.ts';

const KEY = 'sandbox-merchant-api-key';
const CONTACT = {name: 'Deniz Örnek', iban: 'TR330006100519786457841326'};
const TIMEOUT_MS = 60_000;

/**
 * Makes every function of the Worker's module say that it ran. `GET /ran` answers the files of functions that ran since
 * the last such request.
 * @param {string} module - The text, with the comments that the bundler writes above each file.
 */
function instrumented(module) {
  const files = [...module.matchAll(/^\/\/ (\S+)$/gm)].map(({1: file = '', index}) => ({file, at: index}));
  /** @type {{at: number, text: string}[]} */
  const inserted = [];
  /** @param {any} node */
  const visit = (node) => {
    if (Array.isArray(node)) return node.forEach(visit);
    if (!node || typeof node.type !== 'string') return;
    if (/Function/.test(node.type) && node.body) {
      const ran = `__ran.add(${files.findLastIndex(({at}) => at < node.start)})`;
      const {start, end, type} = node.body;
      if (type === 'BlockStatement' || type === 'FunctionBody') inserted.push({at: start + 1, text: `${ran};`});
      else inserted.push({at: start, text: `(${ran},(`}, {at: end, text: '))'});
    }
    for (const [key, child] of Object.entries(node)) if (key !== 'parent') visit(child);
  };
  visit(parseAst(module));
  let [text, last] = ['', 0];
  for (const {at, text: more} of inserted.toSorted((one, other) => one.at - other.at)) {
    text += module.slice(last, at) + more;
    last = at;
  }
  const [, entry = ''] = /(\w+) as default/.exec(module) ?? [];
  return `const __files = ${JSON.stringify(files.map(({file}) => file))};
const __ran = new Set();
${(text + module.slice(last)).replace(`${entry} as default`, '__walked as default')}
const __walked = {...${entry}, fetch(request, ...more) {
  if (new URL(request.url).pathname !== '/ran') return ${entry}.fetch(request, ...more);
  const ran = [...__ran];
  __ran.clear();
  return Response.json([...new Set(ran.map((index) => __files[index]))]);
}};
`;
}

/** @param {string} title @param {readonly string[]} files */
function report(title, files) {
  console.log(`\n${title}: ${files.length} files`);
  for (const file of files) console.log(`  ${file}`);
}

/** Repeats a check until it is true. @param {() => Promise<boolean> | boolean} check */
async function until(check) {
  for (const end = Date.now() + TIMEOUT_MS; !(await check()); await wait(100))
    if (Date.now() > end) throw new Error('A walk did not end.');
}

const folder = mkdtempSync(path.join(tmpdir(), 'vezne-walks-'));
/** @type {string[]} */
const heard = [];
const receiver = createServer((request, response) => {
  request.on('data', (part) => heard.push(String(part))).on('end', () => response.end());
}).listen(0, '127.0.0.1');
const bundle = path.join(folder, 'worker');
const build = startNode(tools.wrangler, ['deploy', '--dry-run', '--config=wrangler.toml', `--outdir=${bundle}`], {
  env: quietWranglerEnv,
});
if ((await build.ended) !== 0) throw new Error(build.output());
const worker = path.join(bundle, 'index.js');
const sandbox = await bundleSandbox(folder);

const platform = await Workerd.start([planSandbox('sandbox', {sandbox})]);
const vars = {
  MERCHANT_API_KEY: KEY,
  WEBHOOK_URL: `http://127.0.0.1:${/** @type {import('node:net').AddressInfo} */ (receiver.address()).port}/`,
  WEBHOOK_SECRET: SECRET,
};
writeFileSync(worker, instrumented(readFileSync(worker, 'utf8')));
const served = await Workerd.start([planWorker('vezne', {worker, sandbox}, platform.url('sandbox'), vars)]);
const bank = new SandboxControls(platform.url('sandbox'));

/** @param {string} way @param {object} [body] @param {Record<string, string>} [headers] */
async function ask(way, body, headers = {}) {
  const response = await fetch(`${served.url('vezne')}/${way}`, {
    method: body ? 'POST' : 'GET',
    headers: {origin: ORIGIN, ...(body && {'content-type': 'application/json'}), ...headers},
    ...(body && {body: JSON.stringify(body)}),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${way}: ${JSON.stringify(answer)}`);
  return answer;
}

/** The files of `worker/` in which a function ran since the last call. @returns {Promise<string[]>} */
async function filesOfWalk() {
  const files = /** @type {string[]} */ (await ask('ran'));
  return files.filter((file) => file?.startsWith('worker/')).toSorted();
}

/** A tap on a bank, of a page without a session. */
const tap = () => ask('v1/order-code', {offer: 'gold', attempt: randomUUID(), shown_amount: '149.90'});
/** @param {{token: string}} session */
async function payAndHear({token}) {
  const before = heard.length;
  const headers = {authorization: `Bearer ${token}`};
  const {order_code: code, order} = await ask('v1/payment', undefined, headers);
  await bank.pay(code);
  await until(async () => (await ask('v1/payment', undefined, headers)).state === 'paid');
  await until(() => heard.slice(before).some((text) => text.includes('"payment.received"')));
  // What follows the answers belongs to the walk.
  await wait(2_000);
  return order;
}
/** @param {string} order */
const refund = (order) =>
  ask(
    'merchant/v1/refunds',
    {service: 'DEMO', order, amount: '149.90', contact: CONTACT},
    {
      authorization: `Bearer ${KEY}`,
      'idempotency-key': randomUUID(),
    },
  );

try {
  // What an isolate loads once is not part of a walk.
  await refund(await payAndHear(await tap()));
  await wait(3_000);
  await filesOfWalk();
  const session = await tap();
  report('B: a tap until the code shows', await filesOfWalk());
  const order = await payAndHear(session);
  report('A: a transfer until page and webhook know', await filesOfWalk());
  await refund(order);
  report('C: a refund by the merchant API', await filesOfWalk());
} finally {
  await Promise.all([served.stop(), platform.stop()]);
  receiver.close();
  rmSync(folder, {recursive: true, force: true});
}

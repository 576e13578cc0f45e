// @ts-check
// Runs one workerd with five Workers, each on a separate port. `vezne` is the Worker as deployed. `bare` returns an
// answer from its memory, `asking` gets its answer from a Durable Object, and `forwarding` gets its answer from the
// platform. The fifth Worker is a platform that answers immediately.

import {spawn} from 'node:child_process';
import {copyFileSync, mkdirSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import net from 'node:net';
import path from 'node:path';
import process from 'node:process';
import {freePort} from '../../../cli/ports.mjs';
import {declaredClasses} from '../../support/declared-classes.ts';

/** @type {string} */
const workerd = createRequire(import.meta.url)('workerd').default;

/** The name of the Worker's module in the folder of a workerd. */
const VEZNE = 'vezne.js';

/**
 * @param {string} folder
 * @param {string} bundle - Path of the Worker's module.
 * @returns {Promise<{vezne: number, bare: number, asking: number, forwarding: number, stop(): Promise<void>}>} The ports.
 */
export async function serveWorkerd(folder, bundle) {
  const ports = await Promise.all([freePort(), freePort(), freePort(), freePort(), freePort()]);
  const [vezne, bare, asking, forwarding, platform] = ports;
  const storage = path.join(folder, 'storage');
  mkdirSync(storage);
  copyFileSync(bundle, path.join(folder, VEZNE));
  writeFileSync(path.join(folder, 'bare.js'), bareWorker);
  writeFileSync(path.join(folder, 'asking.js'), askingWorker);
  writeFileSync(path.join(folder, 'forwarding.js'), forwardingWorker(platform));
  writeFileSync(path.join(folder, 'platform.js'), platformWorker);
  writeFileSync(path.join(folder, 'config.capnp'), config({vezne, bare, asking, forwarding, platform, storage}));
  const {stop} = await serve(folder, vezne);
  return {vezne, bare, asking, forwarding, stop};
}

/**
 * Runs a workerd with a single Worker: the real one or the bare one.
 * @param {string} folder
 * @param {string | null} bundle - Path of the Worker's module; null for the bare Worker.
 * @returns {Promise<{port: number, pid: number, stop(): Promise<void>}>}
 */
export async function serveAlone(folder, bundle) {
  const [port, platform] = await Promise.all([freePort(), freePort()]);
  const storage = path.join(folder, 'storage');
  mkdirSync(storage, {recursive: true});
  if (bundle !== null) copyFileSync(bundle, path.join(folder, VEZNE));
  writeFileSync(path.join(folder, 'bare.js'), bareWorker);
  const services = [
    `(name = "storage", disk = (path = ${JSON.stringify(storage)}, writable = true))`,
    `(name = "alone", worker = ${bundle === null ? worker('bare.js') : vezneWorker(platform)})`,
  ];
  writeFileSync(path.join(folder, 'config.capnp'), workerdConfig(services, [socket('alone', port)]));
  return {port, ...(await serve(folder, port))};
}

/**
 * Starts workerd with the folder's configuration and waits until the port accepts connections.
 * @param {string} folder
 * @param {number} port
 */
async function serve(folder, port) {
  const child = spawn(workerd, ['serve', path.join(folder, 'config.capnp')], {stdio: 'ignore'});
  const ended = new Promise((resolve) => child.on('exit', resolve));
  await untilOpen(port);
  const pid = child.pid ?? 0;
  return {
    pid,
    async stop() {
      process.kill(pid);
      await ended;
    },
  };
}

/** Stores the body of a POST request and answers every GET request with it. */
const bareWorker = `
let body = '';
export default {
  async fetch(request) {
    if (request.method === 'POST') { body = await request.text(); return new Response(null, {status: 204}); }
    return new Response(body, {headers: {'content-type': 'application/json'}});
  },
};`;

/**
 * Stores the body of a POST request in one Durable Object, and answers every GET request with what the object returns.
 * The object returns text from its memory in one call, so no Worker that calls an object can be faster.
 */
const askingWorker = `
import {DurableObject} from 'cloudflare:workers';
export class Answer extends DurableObject {
  #body = '';
  set(body) { this.#body = body; }
  get() { return this.#body; }
}
export default {
  async fetch(request, _env, {exports}) {
    const answer = exports.Answer.getByName('answer');
    if (request.method === 'POST') { await answer.set(await request.text()); return new Response(null, {status: 204}); }
    return new Response(await answer.get(), {headers: {'content-type': 'application/json'}});
  },
};`;

/**
 * Calls the platform for a transaction as the real Worker does, and forwards the answer. No Worker that calls the
 * platform can answer faster than this one.
 * @param {number} platform - Port.
 */
const forwardingWorker = (platform) => `
const headers = {'content-type': 'application/x-www-form-urlencoded;charset=UTF-8', merchant: '123', token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'};
export default {
  async fetch() {
    const reply = await fetch('http://127.0.0.1:${platform}/phs/transaction/get', {method: 'POST', headers, body: 'id=77001', redirect: 'manual'});
    return new Response(await reply.text(), {headers: {'content-type': 'application/json'}});
  },
};`;

/** A platform with fixed answers: a token, twelve banks, an order code, one transaction, and a search that is empty. */
const platformWorker = `
const ok = {status: '000', message: 'Success'};
const bank = (id) => ({id, code: 'bank' + id, name: 'Bank ' + id, company_name: 'Example Ltd', branch_no: '1', account_no: '2', account_iban: 'TR330006100519786457841326', update_time: '2026-11-20 10:00:00+03', currency: 'TL', logo: null, bank_no: '00' + id});
const answers = {
  '/phs/getToken': {...ok, token: '{7A1C0D52-93E4-4B07-A6F1-2C5D8E90B314}'},
  '/phs/bank/getAll': {...ok, banks: Array.from({length: 12}, (_, index) => bank(index + 1))},
  '/phs/orderToReference/create': {...ok, order: '881200450017'},
  '/phs/transaction/get': {...ok, transaction: {id: 77001, merchant: '123', merchant_name: 'Demo', bank_id: 6, bank_code: 'bank6', bank_name: 'Bank 6', service_id: 1, service_name: 'Demo', service_code: 'DEMO', code: '881200450017', amount: '149.90', currency: 'TL', user_name: 'Deniz', order_refno: 'S-1009', remote_bank: null, remote_description: '881200450017', transaction_date: '2026-11-21 15:42:00', transaction_type: 1, create_time: '2026-11-21 15:42:05', status: 3}},
  '/phs/transaction/search': {...ok, recordsTotal: 0, recordsFiltered: 0, start: 0, length: 100, data: []},
};
export default {fetch: (request) => Response.json(answers[new URL(request.url).pathname] ?? {status: '404', message: 'Page Not Found'})};`;

/**
 * @param {{vezne: number, bare: number, asking: number, forwarding: number, platform: number, storage: string}}
 * options
 */
function config({vezne, bare, asking, forwarding, platform, storage}) {
  return workerdConfig(
    [
      `(name = "storage", disk = (path = ${JSON.stringify(storage)}, writable = true))`,
      '(name = "internet", network = (allow = ["public", "private"]))',
      `(name = "vezne", worker = ${vezneWorker(platform)})`,
      `(name = "bare", worker = ${worker('bare.js')})`,
      `(name = "asking", worker = ${worker('asking.js', objects(['Answer']))})`,
      `(name = "forwarding", worker = ${worker('forwarding.js')})`,
      `(name = "platform", worker = ${worker('platform.js')})`,
    ],
    Object.entries({vezne, bare, asking, forwarding, platform}).map(([service, port]) => socket(service, port)),
  );
}

/**
 * @param {string[]} services
 * @param {string[]} sockets
 */
function workerdConfig(services, sockets) {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [${services.join(',\n    ')}],
  sockets = [${sockets.join(', ')}],
);
`;
}

/** The real Worker with its configuration. @param {number} platform - Port. */
function vezneWorker(platform) {
  const offers = JSON.stringify({
    gold: {kind: 'payment', service: 'DEMO', amount: '149.90', title: {tr: 'Lamba', en: 'Lamp'}},
  });
  const texts = {
    PHS_URL: `http://127.0.0.1:${platform}/phs`,
    MERCHANT_ID: '123',
    MERCHANT_IP: '127.0.0.1',
    MERCHANT_KEY: 'sandbox-merchant-key',
    SERVICES: '{"DEMO":{}}',
    OFFERS: offers,
    ALLOWED_ORIGINS: 'https://shop.example',
    MERCHANT_API_KEY: 'sandbox-merchant-api-key',
    SESSION_SECRET: 'sandbox-session-secret-that-is-long-enough',
    LIMITS: '{"address_sessions_per_minute":null,"service_orders_per_minute":null}',
  };
  const bindings = Object.entries(texts).map(
    ([name, text]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(text)})`,
  );
  // The benches load no scripts.
  const assets = '(name = "ASSETS", service = "internet")';
  return worker(VEZNE, objects(declaredClasses('wrangler.toml'), [...bindings, assets]));
}

/**
 * The fields of a Worker with Durable Objects.
 * @param {readonly string[]} classes - The classes of the objects.
 * @param {readonly string[]} [bindings]
 */
function objects(classes, bindings = []) {
  const namespaces = classes.map((name) => `(className = "${name}", uniqueKey = "${name}", enableSql = true)`);
  return [
    `, bindings = [${bindings.join(', ')}]`,
    `, durableObjectNamespaces = [${namespaces.join(', ')}]`,
    ', durableObjectStorage = (localDisk = "storage")',
  ].join('');
}

/**
 * @param {string} file
 * @param {string} [more]
 */
function worker(file, more = '') {
  return `(modules = [(name = "worker", esModule = embed "${file}")], compatibilityDate = "2026-10-01", compatibilityFlags = ["nodejs_als"]${more})`;
}

/**
 * @param {string} service
 * @param {number} port
 */
function socket(service, port) {
  return `(name = "${service}", address = "127.0.0.1:${port}", http = (), service = "${service}")`;
}

/** @param {number} port */
async function untilOpen(port) {
  for (let attempt = 0; attempt < 1_200; attempt += 1) {
    const isOpen = await new Promise((resolve) => {
      const probe = net.connect(port, '127.0.0.1', () => {
        probe.destroy();
        resolve(true);
      });
      probe.on('error', () => resolve(false));
    });
    if (isOpen) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('workerd did not start');
}

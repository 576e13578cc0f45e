/** Starts a Worker and a sandbox on free ports, with their own storage and a demo site that is built for their URLs. */

import {cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile} from 'node:fs/promises';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import path from 'node:path';
import process from 'node:process';
import {gunzipSync} from 'node:zlib';
import {convertV4MiniflareOptions, Miniflare} from 'miniflare';
import type * as Wrangler from 'wrangler';
import {freePort} from '../../../cli/ports.mjs';
import {sandboxVars, workerVars} from '../../../cli/servers.mjs';
import {buildDemo, buildSite} from '../../../scripts/build/site.mjs';
import {repoPath} from '../../../scripts/lib/repo.mjs';
import {bundle, bundlesOfRun} from '../../faults/support/bundles.ts';
import {planSandbox} from '../../faults/support/worker-plans.ts';
import {Workerd} from '../../faults/support/workerd.ts';
import {LeakWatch} from '../../support/leak-watch.ts';

const built = repoPath('.cache', 'e2e');

/** In a run of all steps, the folder of the site that the step `build` has built. */
const siteOfRun = process.env['VEZNE_BUILT_SITE'];

/** The folder of the site that all stacks of a run copy. */
export const builtSite = siteOfRun ?? path.join(built, 'site');

/** The folder of the demo alone, which has a placeholder for the origin of the sandbox. */
export const builtDemo = path.join(built, 'demo');
const SANDBOX = 'http://sandbox.of.a.stack';

/** The path of the module of today's Worker or sandbox. */
const moduleOf = (name: 'worker' | 'sandbox') => path.join(bundlesOfRun ?? built, name, 'index.js');

/** Builds what all stacks of a run share: the site, the demo, and the modules of Worker and sandbox. */
export async function buildOnce(): Promise<void> {
  await rm(builtDemo, {recursive: true, force: true});
  await mkdir(builtDemo, {recursive: true});
  await Promise.all([siteOfRun ?? buildSite(builtSite), buildDemo(builtDemo, SANDBOX), bundle(built)]);
  const wrangler = createRequire(import.meta.url)('wrangler') as typeof Wrangler;
  const {workerOptions} = wrangler.unstable_getMiniflareWorkerOptions(repoPath('wrangler.toml'));
  await writeFile(workerOptionsFile, JSON.stringify(workerOptions));
}

/** What wrangler reads in `wrangler.toml` and `.dev.vars`. Only the process that builds loads wrangler. */
const workerOptionsFile = path.join(built, 'worker.json');

/** The requests of all tests come from one IP address, so they would exceed the usual limits. */
const NO_LIMITS = JSON.stringify({
  address_sessions_per_minute: null,
  address_pins_per_hour: null,
  service_orders_per_minute: null,
});

export interface Addresses {
  /** Origin of the demo site; the Worker serves it. */
  readonly page: string;
  /** Origin of the sandbox. */
  readonly sandbox: string;
  /** Origin of a merchant's server. The Worker allows it, and a test's `MerchantServer` listens there. */
  readonly merchant: string;
  /**
   * Origins of two more merchants' servers. Each test file with a `MerchantServer` needs an origin that no other file
   * uses, because files run at the same time.
   */
  readonly otherMerchant: string;
  readonly thirdMerchant: string;
}

export interface StackOptions {
  /** Further configuration variables of the Worker. */
  readonly vars?: Record<string, string>;
  /** Whether the sandbox notifies the Worker of each payment. Otherwise a sweep finds the payment seconds later. */
  readonly notifiesPayments?: boolean;
  /** The folder of the built site. Without it, the site that all stacks share. */
  readonly site?: string;
}

export class Stack {
  readonly addresses: Addresses;
  readonly #home: string;
  readonly #vars: Record<string, string>;
  readonly #notifiesPayments: boolean;
  readonly #watch = new LeakWatch('The log of the servers', {people: true});
  #worker: Miniflare | undefined;
  #sandbox: Workerd | undefined;

  private constructor(home: string, addresses: Addresses, {vars = {}, notifiesPayments = false}: StackOptions) {
    this.#home = home;
    this.addresses = addresses;
    this.#vars = {...vars, ...(notifiesPayments && {NOTIFICATIONS: 'payment'})};
    this.#notifiesPayments = notifiesPayments;
  }

  static async start(options: StackOptions = {}): Promise<Stack> {
    const home = await mkdtemp(path.join(tmpdir(), 'vezne-e2e-'));
    const addresses = {
      page: await freeOrigin(),
      sandbox: await freeOrigin(),
      merchant: await freeOrigin(),
      otherMerchant: await freeOrigin(),
      thirdMerchant: await freeOrigin(),
    };
    const stack = new Stack(home, addresses, options);
    await cp(options.site ?? builtSite, stack.#site, {recursive: true});
    await stack.#addDemo();
    await Promise.all([stack.startWorker(), stack.startSandbox()]);
    return stack;
  }

  /** Copies the demo into the site, with the origin of this stack's sandbox. */
  async #addDemo(): Promise<void> {
    const headers = await readFile(path.join(this.#site, '_headers'), 'utf8');
    await cp(builtDemo, this.#site, {recursive: true});
    for (const name of await readdir(builtDemo, {recursive: true})) {
      if (!/\.(?:html|js)$|^_headers$/.test(name)) continue;
      const text = (await readFile(path.join(builtDemo, name), 'utf8')).replaceAll(SANDBOX, this.addresses.sandbox);
      await writeFile(path.join(this.#site, name), name === '_headers' ? headers + text : text);
    }
  }

  get #site(): string {
    return path.join(this.#home, 'site');
  }

  /**
   * The Worker runs in the simulator of `wrangler dev`, but without wrangler, which needs more processor time.
   * @param earlier - The compressed Worker of an earlier release, which starts with today's files.
   */
  async startWorker(earlier?: string): Promise<void> {
    const {page, sandbox, merchant, otherMerchant, thirdMerchant} = this.addresses;
    const origins = [page, merchant, otherMerchant, thirdMerchant];
    const vars = {...workerVars(portOf(sandbox), origins), LIMITS: NO_LIMITS, ...this.#vars};
    const options = JSON.parse(await readFile(workerOptionsFile, 'utf8')) as {bindings: object};
    const module = earlier === undefined ? await readFile(moduleOf('worker')) : gunzipSync(await readFile(earlier));
    const scan = (text: unknown) => this.#watch.scan(String(text));
    this.#worker = new Miniflare(
      convertV4MiniflareOptions({
        ...options,
        name: 'worker',
        modules: [{type: 'ESModule', path: 'worker.js', contents: module.toString()}],
        bindings: {...options.bindings, ...vars},
        assets: {directory: this.#site, binding: 'ASSETS', routerConfig: {has_user_worker: true}},
        host: 'localhost',
        port: portOf(page),
        cf: false,
        resourcePersistencePath: path.join(this.#home, 'worker'),
        handleStructuredLogs: ({message}) => scan(message),
      }),
    );
    await this.#worker.ready;
  }

  async startSandbox(): Promise<void> {
    if (this.#sandbox) return this.#sandbox.restart();
    const {page, sandbox} = this.addresses;
    const vars = {
      ...sandboxVars(page),
      ...(this.#notifiesPayments && {PAYMENT_NOTIFY_URL: `${page}/hooks/payment`}),
    };
    this.#sandbox = await Workerd.start([
      {...planSandbox('sandbox', {sandbox: moduleOf('sandbox')}, vars), port: portOf(sandbox)},
    ]);
  }

  /** Kills the Worker with SIGKILL, so it cannot save anything, as in a power failure. */
  async killWorker(): Promise<void> {
    await this.#worker?.dispose();
    this.#worker = undefined;
  }

  async killSandbox(): Promise<void> {
    await this.#sandbox?.kill();
  }

  /** @throws If the servers' logs contain a secret or personal data. */
  async stop(): Promise<void> {
    await Promise.all([this.killWorker(), this.#sandbox?.stop()]);
    await rm(this.#home, {recursive: true, force: true});
    this.#watch.assertClean();
  }
}

async function freeOrigin(): Promise<string> {
  return `http://localhost:${await freePort()}`;
}

function portOf(origin: string): number {
  return Number(new URL(origin).port);
}

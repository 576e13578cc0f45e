/** The package as merchants install it: from a tarball, in a separate project, on Node and in a Worker. */

import {readFileSync} from 'node:fs';
import {readdir, rm} from 'node:fs/promises';
import path from 'node:path';
import {build} from 'vite';
import {afterAll, beforeAll, describe, expect, inject, test} from 'vitest';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {Workerd} from '../faults/support/workerd.ts';
import {failureOf, KEY, newOrder} from './support/live-worker.ts';
import {compile, copyProject, runFile} from './support/package.ts';
import {ORIGIN} from './support/setup-servers.ts';

const SHOP = `
import {Vezne, VezneError, verifyWebhook, WebhookError} from 'vezne/merchant';
const vezne = new Vezne({url: process.env.VEZNE_URL, key: process.env.VEZNE_KEY});
const {token, order} = await vezne.sessions.create({kind: 'payment', origin: '${ORIGIN}', service: 'DEMO', order: process.env.ORDER, amount: '149.90'});
const {items: banks} = await vezne.banks.list();
const refused = await vezne.orderCodes.find({service: 'DEMO', order: 'unknown'}).catch((error) => error);
const forged = await verifyWebhook({secret: 'whsec_dmV6bmUgd2ViaG9vayB0ZXN0IHNlY3JldCAwMDAx', headers: {}, body: ''}).catch((error) => error);
console.log(JSON.stringify([token.split('.').length, order, banks.length > 0, refused instanceof VezneError, refused.code, forged instanceof WebhookError, forged.code]));
`;

const WORKER = `
import {Vezne, verifyWebhook} from 'vezne/merchant';

export default {
  async fetch({url}, {VEZNE_URL, VEZNE_KEY: key}) {
    const vezne = new Vezne({url: VEZNE_URL, key});
    const {items: banks} = await vezne.banks.list();
    const {order_code} = await vezne.orderCodes.create({service: 'DEMO', order: new URL(url).pathname, amount: '149.90'});
    const headers = new Headers({'webhook-id': 'evt_1', 'webhook-signature': 'v1,AA==', 'webhook-timestamp': String(Math.floor(Date.now() / 1000))});
    const refused = await verifyWebhook({secret: 'whsec_dmV6bmUgd2ViaG9vayB0ZXN0IHNlY3JldCAwMDAx', headers, body: '{}'}).catch(({code}) => code);
    const silent = new Vezne({url: VEZNE_URL, key, fetch: () => new Promise(() => {}), timeoutMs: 50});
    return Response.json([banks.length > 0, typeof order_code, refused, await silent.banks.list().catch(({code}) => code)]);
  },
};
`;

/** Uses the types as a merchant does. Each line after `@ts-expect-error` must be a type error. */
const TYPES = `
import {Vezne, type CreateRefundInput, type Fetch, type MerchantEvent, type Refund, type Transaction, type TransactionItem, verifyWebhook, VezneError, type VezneOptions} from 'vezne/merchant';

export async function run(options: VezneOptions, body: Uint8Array, headers: Record<string, string | string[] | undefined>): Promise<void> {
  const vezne = new Vezne(options);
  const payment = await vezne.sessions.create({kind: 'payment', origin: 'https://shop.example', service: 'DEMO', order: 'S-1', amount: '1.00', user_id: undefined});
  const until: string = payment.create_until;
  const vendor = await vezne.sessions.create({kind: 'vendor', origin: 'https://shop.example', service: 'DEMO', vendor_code: 'V', name: 'N', phone: '5', iban: 'TR'}, {idempotencyKey: 'V'});
  const code: string = vendor.vendor_code;
  // @ts-expect-error A vendor session has no amount.
  vendor.amount;
  // @ts-expect-error The input of a vendor session has no amount.
  await vezne.sessions.create({kind: 'vendor', origin: 'https://shop.example', service: 'DEMO', vendor_code: 'V', name: 'N', phone: '5', iban: 'TR', amount: '1.00'});
  // @ts-expect-error Money is text.
  const input: CreateRefundInput = {service: 'DEMO', order: 'S-1', amount: 149.9, contact: {name: 'N', iban: 'TR'}};
  // @ts-expect-error A read has no idempotency key.
  await vezne.banks.list({idempotencyKey: 'B'});
  const transaction: Transaction = await vezne.transactions.get({id: '77001'});
  for await (const item of vezne.transactions.search({service: 'DEMO', amount: {operator: '>=', value: '1.00'}})) {
    const each: TransactionItem = item;
    // @ts-expect-error Search results do not include the status.
    each.status;
  }
  for await (const {items, total} of vezne.refunds.list({order: 'S-1'}).pages()) {
    const refund: Refund | undefined = items[0];
    const count: number | null = total;
    void [refund, count];
  }
  const {next_cursor} = await vezne.events.list();
  const cursor: string | null = next_cursor;
  const event: MerchantEvent = await verifyWebhook({secret: ['whsec_', 'whsec_'], headers, body});
  if (event.type === 'payment.received') {
    const remaining: string = event.data.remaining;
    void remaining;
  }
  // @ts-expect-error This event does not exist.
  if (event.type === 'payment.lost') return;
  try {
    await vezne.doctor.examine({timeoutMs: 1000});
  } catch (error) {
    if (error instanceof VezneError && error.code === 'quota_exhausted') void [error.retryAfterMs, error.platform?.status];
  }
  const answer: Fetch = async () => ({status: 200, headers: {get: () => null}, text: async () => '{}'});
  void [until, code, input, transaction, cursor, new Vezne({...options, fetch: answer})];
}
`;

/** Code that must compile with the types of Node, of Workers and of the DOM. */
const RUNTIME = `
import {Vezne, verifyWebhook} from 'vezne/merchant';

export async function run(request: Request, signal: AbortSignal): Promise<unknown> {
  const vezne = new Vezne({url: 'https://pay.shop.example', key: 'k', fetch: (url, init) => fetch(url, init)});
  const other = new Vezne({url: 'https://pay.shop.example', key: 'k', fetch});
  await vezne.banks.list({signal});
  await other.banks.list({signal: AbortSignal.timeout(1000)});
  return verifyWebhook({secret: 'whsec_', headers: request.headers, body: await request.arrayBuffer()});
}
`;
const NODE = `
import {createServer} from 'node:http';
import {verifyWebhook} from 'vezne/merchant';

createServer(async (request) => {
  await verifyWebhook({secret: 'whsec_', headers: request.headers, body: Buffer.concat(await request.toArray())});
});
`;
const WORKERS = `
import {Vezne} from 'vezne/merchant';

export default {
  async fetch(_request: Request, env: {readonly VEZNE: Fetcher}): Promise<Response> {
    const vezne = new Vezne({url: 'https://vezne', key: 'k', fetch: env.VEZNE.fetch.bind(env.VEZNE)});
    return Response.json(await vezne.banks.list());
  },
};
`;

/** Declarations that the code blocks of the README need to compile. */
const AROUND_README = `
import type {IncomingMessage} from 'node:http';
declare const vezne: Vezne;
declare const process: {env: {VEZNE_KEY: string; VEZNE_WEBHOOK_SECRET: string}};
declare const input: import('vezne/merchant').CreateRefundInput;
declare const contact: {name: string; iban: string};
declare const [idempotencyKey, order]: [string, string];
declare function later(when: {idempotencyKey: string | undefined; afterMs?: number | undefined}): void;
declare function isNew(id: string): Promise<boolean>;
declare function deliver(order: string): Promise<void>;
declare const express: {raw(options: object): unknown};
declare const app: {post(path: string, reader: unknown, handle: (request: IncomingMessage & {body: Buffer}, response: {sendStatus(status: number): void}) => Promise<void>): void};
`;

const WORKERS_TYPES = ['@cloudflare/workers-types'];

/** Compiles only if the package's types equal the contract's types, including optional fields. */
const SAME = (contract: string) => `
import type {Answers, ErrorCode, Inputs, MerchantEvent} from 'vezne/merchant';
import type {MerchantEvent as ContractEvent} from '${contract}/merchant/events.ts';
import type * as Contract from '${contract}/merchant/endpoints.ts';
import type {MerchantProblem} from '${contract}/problem.ts';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false;
/** Flattens intersections, so that only the fields of a type are compared. */
type Flat<T> = T extends readonly (infer I)[] ? Flat<I>[] : T extends object ? {[K in keyof T]: Flat<T[K]>} : T;
type Differing<A, B> = {[N in keyof A | keyof B]: N extends keyof A & keyof B ? (Same<Flat<A[N]>, Flat<B[N]>> extends true ? never : N) : N}[keyof A | keyof B];

type DifferingInputs = Differing<Inputs, {[N in Contract.EndpointName]: Contract.EndpointInput<N>}>;
type DifferingAnswers = Differing<Answers, {[N in Contract.EndpointName]: Contract.EndpointAnswer<N>}>;
export const same: [DifferingInputs | DifferingAnswers] extends [never] ? true : DifferingInputs | DifferingAnswers = true;
export const codes: Same<ErrorCode, MerchantProblem['code']> = true;
export const events: Same<Flat<MerchantEvent>, Flat<ContractEvent>> = true;
`;

let shop: string;
beforeAll(async () => {
  shop = await copyProject(inject('merchantProject'), {
    'shop.mjs': SHOP,
    'worker.mjs': WORKER,
    'shop.cjs': `console.log(typeof require('vezne/merchant').Vezne);`,
  });
});
afterAll(() => rm(shop, {recursive: true, force: true}));

test('a shop on Node imports the package and uses it', async () => {
  const order = newOrder();
  const output = await runFile(shop, 'shop.mjs', {VEZNE_URL: inject('workerUrl'), VEZNE_KEY: KEY, ORDER: order});
  expect(JSON.parse(output)).toEqual([3, order, true, true, 'unknown_order', true, 'header_missing']);
});

test('a CommonJS shop can require the package', async () => {
  expect(await runFile(shop, 'shop.cjs')).toBe('function');
});

test('the package has no unexpected file', async () => {
  const files = await readdir(path.join(shop, 'node_modules', 'vezne'), {recursive: true, withFileTypes: true});
  const unexpected = files
    .filter((file) => file.isFile())
    .map(({parentPath, name}) => path.relative(path.join(shop, 'node_modules', 'vezne'), path.join(parentPath, name)))
    .filter(
      (name) =>
        !/^(package\.json|README\.md|LICENSE|merchant\/(README\.md|webhook-vectors\.json)|dist\/merchant\/(index\.(js|cjs|d\.cts)|[\w/-]+\.d\.ts)|relay\/launch\.mjs|dist\/relay\/vezne-relay\.mjs)$/.test(
          name,
        ),
    );
  expect(unexpected).toEqual([]);
});

test('the package contains the command `vezne-relay`, which reports a missing configuration', async () => {
  const installed = path.join(shop, 'node_modules', 'vezne');
  const {bin} = JSON.parse(readFileSync(path.join(installed, 'package.json'), 'utf8')) as {bin: Record<string, string>};
  const file = path.join(installed, bin['vezne-relay'] ?? '');
  const {stderr} = await failureOf<Error & {stderr: string}>(runFile(shop, file));
  expect(stderr).toMatch(/^vezne-relay does not start: RELAY_SECRET is not set\. .* None of PHS_URL/);
});

test('a bundled Worker uses the package', async () => {
  await build({
    root: shop,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    build: {outDir: 'built', target: 'es2022', lib: {entry: 'worker.mjs', formats: ['es'], fileName: 'index'}},
  });
  const workerd = await Workerd.start([
    {
      name: 'shop',
      module: path.join(shop, 'built', 'index.js'),
      vars: {VEZNE_URL: inject('workerUrl'), VEZNE_KEY: KEY},
      classes: [],
    },
  ]);
  try {
    const answer = await fetch(`${workerd.url('shop')}/${newOrder()}`);
    expect(await answer.json()).toEqual([true, 'string', 'signature_invalid', 'timed_out']);
  } finally {
    await workerd.stop();
  }
});

describe('Types of the package', () => {
  const projects: string[] = [];
  afterAll(() => Promise.all(projects.map((project) => rm(project, {recursive: true, force: true}))));
  const check = async (files: Readonly<Record<string, string>>, options: object, packages: readonly string[] = []) => {
    const project = await copyProject(inject('merchantProject'), files);
    projects.push(project);
    return compile(project, options, packages);
  };

  test('the README, the examples and the types compile with the types of Node, without the DOM', async () => {
    const blocks = [...readFileSync(repoPath('merchant', 'README.md'), 'utf8').matchAll(/```ts\n([^]*?)```/g)].map(
      ([, block = '']) => block,
    );
    const imports = new Set(
      blocks
        .flatMap((block) => block.match(/^import .*$/gm) ?? [])
        .flatMap((line) => /\{(.*)\}/.exec(line)?.[1]?.split(', ') ?? []),
    );
    const bodies = blocks.map(
      (block, index) => `export async function block${index}() {\n${block.replaceAll(/^import .*$/gm, '')}}`,
    );
    expect(bodies).toHaveLength(5);
    const readme = `import {${[...imports].join(', ')}} from 'vezne/merchant';\n${AROUND_README}${bodies.join('\n')}`;
    const examples = Object.fromEntries(
      ['shop.mjs', 'marketplace.mjs'].map((name) => [name, readFileSync(repoPath('examples', 'node', name), 'utf8')]),
    );
    expect(
      await check(
        {'readme.ts': readme, ...examples, 'a.ts': TYPES, 'b.ts': RUNTIME, 'c.ts': NODE},
        {lib: ['es2022'], types: ['node'], skipLibCheck: true, allowJs: true, checkJs: true},
        ['@types/node', 'undici-types'],
      ),
    ).toBe('');
  });

  test('the types compile without any runtime types', async () => {
    expect(await check({'a.ts': TYPES}, {lib: ['es2022'], types: []})).toBe('');
  });

  test('the types compile with the types of Workers alone', async () => {
    expect(
      await check(
        {'a.ts': TYPES, 'b.ts': RUNTIME, 'c.ts': WORKERS},
        {lib: ['es2022'], types: WORKERS_TYPES},
        WORKERS_TYPES,
      ),
    ).toBe('');
  });

  test('the types compile with the types of the DOM, which are similar to the types of Deno and Bun', async () => {
    expect(
      await check(
        {'a.ts': TYPES, 'b.ts': RUNTIME},
        {lib: ['es2022', 'dom', 'dom.iterable'], types: [], module: 'esnext', moduleResolution: 'bundler'},
      ),
    ).toBe('');
  });

  test('the types of the package equal the types of the contract', async () => {
    const contract = path.join(import.meta.dirname, '../../worker/contract');
    expect(
      await check(
        {'a.ts': SAME(contract)},
        {
          lib: ['es2024'],
          types: WORKERS_TYPES,
          module: 'esnext',
          moduleResolution: 'bundler',
          allowImportingTsExtensions: true,
          skipLibCheck: true,
        },
        WORKERS_TYPES,
      ),
    ).toBe('');
  });
});

/**
 * Every operation of the checkout × every fault: what the page is told, in what time, and what is true afterwards.
 * All columns run at once, each with a sandbox, a line and two Workers of its own; the tests then look at the cells.
 */

import {setTimeout as wait} from 'node:timers/promises';
import {afterAll, beforeAll, describe, expect, inject, test} from 'vitest';
import {ERROR_KINDS, type ErrorCode} from '../../worker/contract/codes.ts';
import {operations} from '../../worker/platform/operations/index.ts';
import {type FaultProxy, startFaultProxy} from '../support/fault-proxy.ts';
import {COLUMNS, type Column, type OperationPath} from './support/columns.ts';
import {Page} from './support/page.ts';
import {type Cell, runColumn} from './support/run-column.ts';
import {SandboxControls} from './support/sandbox-controls.ts';
import {planSandbox, planWorker} from './support/worker-plans.ts';
import {Workerd} from './support/workerd.ts';

const bundles = inject('bundles');
const running: {stop(): Promise<void>}[] = [];
const columns = new Map<string, Promise<Record<OperationPath, Cell>>>();
const platforms = new Map<string, SandboxControls>();
let workers: Workerd;

beforeAll(async () => {
  const sandboxes = await Workerd.start(COLUMNS.map(({name}) => planSandbox(name, bundles)));
  running.push(sandboxes);
  const lines = new Map<string, FaultProxy>();
  for (const {name} of COLUMNS) {
    const line = await startFaultProxy({target: sandboxes.url(name)});
    lines.set(name, line);
    running.push(line);
  }
  workers = await Workerd.start(
    [...lines].flatMap(([name, {url}]) => [
      planWorker(`${name} fresh`, bundles, url),
      planWorker(`${name} busy`, bundles, url),
    ]),
  );
  running.push(workers);
  for (const column of COLUMNS) {
    const platform = new SandboxControls(sandboxes.url(column.name));
    platforms.set(column.name, platform);
    const pages = {
      fresh: new Page(workers.url(`${column.name} fresh`)),
      busy: new Page(workers.url(`${column.name} busy`)),
    };
    const cells = startLater(columns.size).then(() =>
      runColumn(column, {line: lines.get(column.name) as FaultProxy, platform}, pages),
    );
    // Whoever looks at a cell learns of it.
    cells.catch(() => {});
    columns.set(column.name, cells);
  }
});

/** Columns begin one after the other, so that what is measured is the Worker and not the machine. */
const startLater = (index: number) => wait(index * 400);

afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
});

async function cellOf({name}: Column, operation: OperationPath): Promise<Cell> {
  const cells = await columns.get(name);
  if (!cells) throw new Error(`There is no column ${name}.`);
  return cells[operation];
}

const deadlineOf = (operation: OperationPath) =>
  Object.values(operations).find(({path}) => path === operation)?.deadlineMs ?? 0;

/** What a machine may add that does other things as well: a call without a deadline would take for ever. */
const WAY_MS = 10_000;

const RECOVERY_MS = 20_000 + WAY_MS;
/** Less than the deadlines of what is asked here: the page did not wait for the platform. */
const AT_ONCE_MS = 7_500;

/** The whole of what a page is told: a code of ours and none of the platform's words. */
function expectProblem(
  {during, recoveredMs}: Cell,
  code: ErrorCode,
  operation: OperationPath,
  retryAfterSeconds = [5],
): void {
  const {status, title, retryable} = ERROR_KINDS[code];
  expect(during.body).toEqual({
    type: 'about:blank',
    title,
    status,
    code,
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    retryable,
  });
  expect(during.status).toBe(status);
  expect(during.contentType).toBe('application/problem+json');
  // Another number would mean that the platform was not asked.
  expect(retryable ? retryAfterSeconds : [null]).toContain(during.retryAfter);
  expect(during.tookMs).toBeLessThan(deadlineOf(operation) * 1.1 + WAY_MS);
  expect(recoveredMs).toBeLessThan(RECOVERY_MS);
}

/** Statuses by which the platform says that it is in trouble, or that it wants another token. */
const TROUBLE = new Set(['500', 'ERR_016']);

const codeFor = ({refuses}: Column): ErrorCode =>
  refuses === null || TROUBLE.has(refuses) ? 'temporarily_unavailable' : 'platform_refused';

/** A refused token wants a new one, which this platform refuses as well: that is tried again sooner. */
const pauseOf = ({refuses}: Column) => (refuses === 'ERR_016' ? REFUSED_KEY_SECONDS : [5]);
const REFUSED_KEY_SECONDS = [1, 2, 4];
/** Who waited for a token until the time was over may come back as soon. */
const WAITED_SECONDS = 1;

/** One order at the platform, and its code. */
function expectOneOrder({after, codes}: Cell): void {
  expect(codes).toHaveLength(1);
  expect(after.body).toEqual({
    order_code: codes[0],
    order: expect.stringMatching(/^VZ\w{16}$/),
    amount: '149.90',
    currency: 'TRY',
    pay_until: expect.any(String),
  });
}

/** The transfer of 149.90, once. */
function expectOneTransfer({body}: {readonly body: unknown}): void {
  expect(body).toEqual({
    state: 'paid',
    amount: '149.90',
    paid: '149.90',
    remaining: '0.00',
    late: false,
    unclear: false,
    notice: null,
    handed_over_at: null,
    transactions: [
      {
        id: expect.stringMatching(/^\d+$/),
        amount: '149.90',
        currency: 'TRY',
        bank: 'Garanti BBVA',
        at: expect.any(String),
      },
    ],
    as_of: expect.any(String),
  });
}

describe.for(COLUMNS)('$name', (column) => {
  test('getToken: the page is told to come back, and gets its code then', async () => {
    const cell = await cellOf(column, '/getToken');
    // A refused key is tried again after two seconds, and after four where it was tried meanwhile.
    const refusesKey = column.refuses !== null && column.refuses !== '500';
    expectProblem(cell, 'temporarily_unavailable', '/getToken', refusesKey ? REFUSED_KEY_SECONDS : [WAITED_SECONDS, 5]);
    expectOneOrder(cell);
  });

  test('bank/getAll: the page is told, and sees the banks then', async () => {
    const cell = await cellOf(column, '/bank/getAll');
    expectProblem(cell, codeFor(column), '/bank/getAll');
    expect(cell.after.body).toMatchObject({stale: false, banks: {length: 12}});
  });

  test('orderToReference/create: the page is told, and the same session gets the one code then', async () => {
    const cell = await cellOf(column, '/orderToReference/create');
    expectProblem(cell, codeFor(column), '/orderToReference/create', pauseOf(column));
    expectOneOrder(cell);
  });

  test('orderToReference/check: an order whose making was cut off is found, not made again', async () => {
    const cell = await cellOf(column, '/orderToReference/check');
    expectProblem(cell, codeFor(column), '/orderToReference/check', pauseOf(column));
    expectOneOrder(cell);
  });

  test('transaction/search: the page waits without an error, and learns of the money that came meanwhile', async () => {
    const cell = await cellOf(column, '/transaction/search');
    expect(cell.during).toMatchObject({status: 200, body: {state: 'waiting', paid: '0.00', transactions: []}});
    expect(cell.during.tookMs).toBeLessThan(AT_ONCE_MS);
    expect(cell.recoveredMs).toBeLessThan(RECOVERY_MS);
    expectOneTransfer(cell.after);
    expect(cell.codes).toHaveLength(1);
  });

  test('transaction/get: money that arrived stays arrived, once', async () => {
    const cell = await cellOf(column, '/transaction/get');
    expect(cell.during.tookMs).toBeLessThan(AT_ONCE_MS);
    expectOneTransfer(cell.during);
    expectOneTransfer(cell.after);
    expect(cell.codes).toHaveLength(1);
  });
});

test('no call outlives its deadline', async () => {
  await Promise.all(columns.values());
  const calls = workers.logLines().filter(({event}) => event === 'platform_call');
  const late = calls.filter(
    ({operation, duration_ms: tookMs}) =>
      Number(tookMs) > operations[operation as keyof typeof operations].deadlineMs * 1.1 + WAY_MS,
  );
  expect(late).toEqual([]);
  expect(new Set(calls.map(({operation}) => operation))).toEqual(
    new Set(['tokenGet', 'bankGetAll', 'orderCodeCreate', 'orderCodeCheck', 'transactionSearch', 'transactionGet']),
  );
});

test('nobody follows a redirect', async () => {
  await Promise.all(columns.values());
  expect(await platforms.get('redirect')?.paths()).not.toContain('/elsewhere');
});

/**
 * Tests every operation of the checkout under faults: which answer the page gets, how soon, and which orders and
 * payments exist afterwards. A column is one fault, and a cell is one operation under that fault. The columns run in
 * parallel; each has a sandbox, a fault proxy and two Workers. Each test checks one cell.
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
    const pages = {
      fresh: new Page(workers.url(`${column.name} fresh`)),
      busy: new Page(workers.url(`${column.name} busy`)),
    };
    const cells = startLater(columns.size).then(() =>
      runColumn(column, {line: lines.get(column.name) as FaultProxy, platform}, pages),
    );
    // The test that reads the cell reports the error.
    cells.catch(() => {});
    columns.set(column.name, cells);
  }
});

/** Starts each column a little later than the column before, so that the times do not measure a busy machine. */
const startLater = (index: number) => wait(index * 400);

afterAll(async () => {
  await Promise.all(running.map((server) => server.stop()));
});

async function cellOf({name}: Column, operation: OperationPath): Promise<Cell> {
  const cells = await columns.get(name);
  if (!cells) throw new Error(`The column ${name} was not run.`);
  return cells[operation];
}

const deadlineOf = (operation: OperationPath) =>
  Object.values(operations).find(({path}) => path === operation)?.deadlineMs ?? 0;

/** Extra time for a busy machine. The margin can be large, because a call without a deadline would never end. */
const MARGIN_MS = 40_000;

/** Maximum sum of the delays before a good answer, for a page that repeats its request after each `Retry-After`. */
const MAX_RECOVERY_SECONDS = 20;

/**
 * Checks, in the column in which the platform never answers, that a page did not wait for the platform: its answer came
 * sooner than the answer to another page, which did wait.
 */
async function expectImmediate({during}: Cell, column: Column): Promise<void> {
  if (column.name !== 'silent') return;
  const waiting = await cellOf(column, '/orderToReference/create');
  expect(during.tookMs).toBeLessThan(waiting.during.tookMs);
}

/** Checks the whole error answer: it has the Worker's own code and no text from the platform. */
function expectProblem(
  {during, after}: Cell,
  code: ErrorCode,
  operation: OperationPath,
  retryAfterSeconds = [5],
): void {
  const {status, title, retryable} = ERROR_KINDS[code];
  expect(during.body).toEqual({
    type: `/problems/${code}`,
    title,
    status,
    code,
    request_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    retryable,
  });
  expect(during.status).toBe(status);
  expect(during.contentType).toBe('application/problem+json');
  // A different number would mean that the Worker did not call the platform.
  expect(retryable ? retryAfterSeconds : [null]).toContain(during.retryAfter);
  expect(during.tookMs).toBeLessThan(deadlineOf(operation) * 1.1 + MARGIN_MS);
  expect(after.delaySeconds).toBeLessThanOrEqual(MAX_RECOVERY_SECONDS);
}

const codeFor = ({refusalStatus}: Column): ErrorCode =>
  refusalStatus === null || refusalStatus === 'ERR_016' ? 'temporarily_unavailable' : 'platform_refused';

/**
 * The possible `Retry-After` values. After `ERR_016` the Worker fetches a new token. The platform of this column
 * refuses the new token too, and then the delay is shorter.
 */
const retryAfterOf = ({refusalStatus}: Column) => (refusalStatus === 'ERR_016' ? REFUSED_KEY_SECONDS : [5]);
const REFUSED_KEY_SECONDS = [1, 2, 4];
/** `Retry-After` for a page whose request waited for a token until the deadline. */
const WAITED_SECONDS = 1;

/** Expects exactly one order at the platform, with the code that the page received. */
function expectOneOrder({after, codes}: Cell): void {
  expect(codes).toHaveLength(1);
  expect(after.body).toEqual({
    order_code: codes[0],
    order: expect.stringMatching(/^VZ\w{16}$/),
    amount: '149.90',
    currency: 'TRY',
    pay_until: expect.any(String),
    account: null,
  });
}

/** Expects a payment with exactly one transfer of 149.90. */
function expectOneTransfer({body}: {readonly body: unknown}): void {
  expect(body).toEqual({
    order: expect.any(String),
    order_code: expect.any(String),
    state: 'paid',
    amount: '149.90',
    paid: '149.90',
    refunded: '0.00',
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

describe.for(COLUMNS)('with the fault "$name"', (column) => {
  test('when getToken fails, the page gets 503 and later its order code', async () => {
    const cell = await cellOf(column, '/getToken');
    // The Worker retries a refused key after two seconds, or after four if another request has retried it in the
    // meantime.
    const refusesKey = column.refusalStatus !== null;
    expectProblem(cell, 'temporarily_unavailable', '/getToken', refusesKey ? REFUSED_KEY_SECONDS : [WAITED_SECONDS, 5]);
    expectOneOrder(cell);
  });

  test('when bank/getAll fails, the page gets an error and later the banks', async () => {
    const cell = await cellOf(column, '/bank/getAll');
    expectProblem(cell, codeFor(column), '/bank/getAll');
    expect(cell.after.body).toMatchObject({stale: false, banks: {length: 12}});
  });

  test('when orderToReference/create fails, the page gets an error and later exactly one order code', async () => {
    const cell = await cellOf(column, '/orderToReference/create');
    expectProblem(cell, codeFor(column), '/orderToReference/create', retryAfterOf(column));
    expectOneOrder(cell);
  });

  test('when orderToReference/check fails, the page gets an error, and later the existing order’s code', async () => {
    const cell = await cellOf(column, '/orderToReference/check');
    expectProblem(cell, codeFor(column), '/orderToReference/check', retryAfterOf(column));
    expectOneOrder(cell);
  });

  test('while transaction/search fails, the payment is waiting, and later it is paid', async () => {
    const cell = await cellOf(column, '/transaction/search');
    expect(cell.during).toMatchObject({status: 200, body: {state: 'waiting', paid: '0.00', transactions: []}});
    await expectImmediate(cell, column);
    expect(cell.after.delaySeconds).toBeLessThanOrEqual(MAX_RECOVERY_SECONDS);
    expectOneTransfer(cell.after);
    expect(cell.codes).toHaveLength(1);
  });

  test('when transaction/get fails, a payment stays paid and its transfer is counted once', async () => {
    const cell = await cellOf(column, '/transaction/get');
    await expectImmediate(cell, column);
    expectOneTransfer(cell.during);
    expectOneTransfer(cell.after);
    expect(cell.codes).toHaveLength(1);
  });
});

test('every call to the platform ends within its deadline', async () => {
  await Promise.all(columns.values());
  const calls = workers.logLines().filter(({event}) => event === 'platform_call');
  const late = calls.filter(
    ({operation, duration_ms: tookMs}) =>
      Number(tookMs) > operations[operation as keyof typeof operations].deadlineMs * 1.1 + MARGIN_MS,
  );
  expect(late).toEqual([]);
  expect(new Set(calls.map(({operation}) => operation))).toEqual(
    new Set(['tokenGet', 'bankGetAll', 'orderCodeCreate', 'orderCodeCheck', 'transactionSearch', 'transactionGet']),
  );
});

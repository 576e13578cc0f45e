/**
 * Tests that the books of a busy day agree to the kuruş with what the sandbox has recorded, although objects are killed,
 * answers are lost, money is found after the day has closed, and a month ends.
 */

import {evictDurableObject, runDurableObjectAlarm} from 'cloudflare:test';
import {env} from 'cloudflare:workers';
import {afterEach, expect, inject, test, vi} from 'vitest';
import {contextOf} from '../../../../worker/context.ts';
import {formatMonth, formatPlatformDay, startOfDay} from '../../../../worker/lib/time.ts';
import {Archive} from '../../../../worker/objects/archive/archive.ts';
import {inBatches} from '../../support/busy-service.ts';
import {advance, DAY, HOUR, MINUTE, platformTime} from '../../support/clock.ts';
import {orderObject, renewToken, runSweep, serviceObject} from '../../support/durable-objects.ts';
import {freshWorker} from '../../support/fresh-worker.ts';
import {ask} from '../../support/page.ts';
import {control, setFault} from '../../support/sandbox.ts';
import {outboxObject} from '../../support/webhook-receiver.ts';

freshWorker();
afterEach(() => void vi.restoreAllMocks());

const ORDERS = 24;
const service = 'DEMO';
const objects = () => contextOf(env).objects;

/** What the sandbox shows of a transfer. Amounts are decimal text. */
interface Transfer {
  readonly order: string | null;
  readonly bank: string;
  readonly amount: string;
  readonly at: string;
}

interface SandboxOrder {
  readonly order: string;
  readonly amount: string;
  readonly arrived: string;
}

const list = async <T>(name: string): Promise<readonly T[]> => {
  const response = await fetch(`${inject('sandboxUrl')}/_sandbox/${name}?limit=50000`);
  return ((await response.json()) as Record<string, T[]>)[name] ?? [];
};

/** Kuruş of decimal text, computed without the Worker's code. */
const kurus = (amount: string): number => Math.round(Number(amount) * 100);

function sumBy<T>(items: readonly T[], key: (item: T) => string, value: (item: T) => number): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const item of items) sums[key(item)] = (sums[key(item)] ?? 0) + value(item);
  return Object.fromEntries(Object.entries(sums).toSorted());
}

type CsvRow = Readonly<Record<string, string>>;

/** Reads the file of a day. No cell of these tests has a quotation mark. */
async function readDay(day: string): Promise<{text: string; rows: readonly CsvRow[]}> {
  const headers = {authorization: 'Bearer sandbox-merchant-api-key'};
  const {text, status} = await ask(`/merchant/v1/days/${day}.csv?service=${service}`, {headers});
  expect(status, text).toBe(200);
  const [head = '', ...lines] = text.slice(1).trim().split('\r\n');
  const names = head.split(',');
  const toRow = (line: string) => Object.fromEntries(line.split(',').map((cell, index) => [names[index] ?? '', cell]));
  return {text, rows: lines.map(toRow)};
}

/** Every third call of the books is carried out, but its answer is lost; every seventh kills the object, too. */
function loseAnswers(): void {
  const {book} = Archive.prototype;
  let calls = 0;
  vi.spyOn(Archive.prototype, 'book').mockImplementation(function lossy(this: Archive, ...args) {
    const moved = book.apply(this, args);
    calls += 1;
    if (calls % 7 === 0) (this as unknown as {ctx: DurableObjectState}).ctx.abort('killed');
    if (calls % 3 === 0) throw new Error('The answer is lost.');
    return moved;
  });
}

const pay = (part: number, from: number, to: number) =>
  control('busy-day', {from: platformTime(from), to: platformTime(to), part, parts: 4});

/** Sweeps until nothing is new, and kills the sweep and some orders in between. */
async function sweepAndKill(orders: readonly string[]): Promise<void> {
  await renewToken();
  for (let count = 0; count < 5; count += 1) {
    await runSweep();
    await evictDurableObject(serviceObject()).catch(() => undefined);
    const victims = orders.filter((_, index) => index % 11 === count % 11).slice(0, 50);
    await Promise.all(victims.map((order) => evictDurableObject(orderObject(order)).catch(() => undefined)));
    await advance(10_000);
  }
}

/** Whether the outbox has passed on all that it has. */
const settle = (): Promise<boolean> =>
  outboxObject()
    .settle(service)
    .then(
      () => true,
      () => false,
    );

/** Runs the alarms of the orders, and lets the outbox pass on what it has, although answers are lost. */
async function runAlarms(orders: readonly string[]): Promise<void> {
  await inBatches(orders.length, (index) =>
    runDurableObjectAlarm(orderObject(orders[index] ?? '')).catch(() => undefined),
  );
  for (let tries = 0; !(await settle()); tries += 1) expect(tries).toBeLessThan(20);
}

test(
  'the books of a busy day at the end of a month agree with the sandbox, also after kills, lost answers and late corrections',
  {timeout: 3_600_000},
  async ({annotate}) => {
    let next = formatPlatformDay(Date.now() + DAY);
    while (!next.endsWith('-01')) next = formatPlatformDay(startOfDay(next) + DAY);
    await advance(startOfDay(next) - 8 * HOUR - Date.now());
    const day = formatPlatformDay(Date.now());
    await renewToken();
    const orders = Array.from({length: ORDERS}, (_, index) => `S-${index}`);
    await inBatches(
      ORDERS,
      async (index) => {
        const terms = {service, order: `S-${index}`, amount: 10_000 + index, hours: 1 + (index % 3)};
        const result = await orderObject(terms.order).orderCode(terms);
        if (!('code' in result)) throw new Error(JSON.stringify(result));
      },
      10,
    );
    await runAlarms(orders);
    loseAnswers();
    // Half of the money comes in time or late, and is found on the same day.
    const begin = Date.now();
    await advance(5 * HOUR);
    await pay(0, begin, Date.now());
    await pay(1, begin, Date.now());
    await sweepAndKill(orders);
    // The platform does not answer for the last hours of the day, and money of the day is found on the next.
    await setFault({operation: '/transaction/search', kind: '500-html', times: 10_000});
    await advance(startOfDay(next) - 2 * MINUTE - Date.now());
    await pay(2, Date.now() - HOUR, Date.now() + MINUTE);
    await advance(HOUR);
    await setFault({operation: '/transaction/search', kind: 'clear'});
    await sweepAndKill(orders);
    await runAlarms(orders);
    await advance(startOfDay(next) + 9 * HOUR - Date.now());
    await runAlarms(orders);
    // A kill also ends the file that is being read.
    vi.restoreAllMocks();
    const closed = await readDay(day);
    loseAnswers();
    // After 09:00, the day is closed.
    await pay(3, startOfDay(next) - HOUR, startOfDay(next) - MINUTE);
    await sweepAndKill(orders);
    await runAlarms(orders);
    await advance(DAY);
    await sweepAndKill(orders);
    await runAlarms(orders);
    vi.restoreAllMocks();
    await advance(HOUR);
    await runAlarms(orders);

    expect((await readDay(day)).text).toBe(closed.text);
    const transfers = await list<Transfer>('transfers');
    const days = [next, formatPlatformDay(startOfDay(next) + DAY)];
    const later = (await Promise.all(days.map(readDay))).flatMap((file) => file.rows);
    const corrections = later.filter(({corrects}) => corrects === day);
    const rows = [...closed.rows, ...corrections];
    const banks = (await ask('/v1/banks')).body as {banks: {code: string; name: string}[]};
    const nameOf = (code: string) => banks.banks.find((bank) => bank.code === code)?.name ?? code;
    const booked = sumBy(
      rows.filter(({type}) => type?.startsWith('money.')),
      (row) => row['bank_name'] ?? '',
      (row) => kurus(row['balance'] ?? ''),
    );
    expect(transfers.every(({at}) => at.startsWith(day))).toBe(true);
    expect(booked).toEqual(
      sumBy(
        transfers,
        ({bank}) => nameOf(bank),
        ({amount}) => kurus(amount),
      ),
    );
    // The last state of each order, from the sandbox's sums alone.
    const known = await list<SandboxOrder>('orders');
    const expected = sumBy(
      known,
      ({amount, arrived}) => {
        const missing = kurus(amount) - kurus(arrived);
        if (kurus(arrived) === 0) return 'expired';
        return missing > 0 ? 'partial' : missing === 0 ? 'paid' : 'overpaid';
      },
      () => 1,
    );
    const last = new Map<string, string>();
    for (const {order = '', state = ''} of [...closed.rows, ...later]) if (state !== '') last.set(order, state);
    last.delete('');
    const found = sumBy(
      [...last.values()],
      (state) => state,
      () => 1,
    );
    expect(found).toEqual(expected);
    // The sums that the API shows are those of the file's rows.
    const headers = {authorization: 'Bearer sandbox-merchant-api-key'};
    const startedAt = performance.now();
    const shown = (await ask(`/merchant/v1/days/${day}?service=${service}`, {headers})).body as {arrived: string};
    const ms = Math.round(performance.now() - startedAt);
    const sum = closed.rows.reduce((total, row) => total + kurus(row['balance'] ?? ''), 0);
    expect(kurus(shown.arrived)).toBe(sum);
    expect(corrections.length).toBeGreaterThan(0);
    await annotate(
      JSON.stringify({
        orders: ORDERS,
        transfers: transfers.length,
        rows: closed.rows.length,
        corrections: corrections.length,
        found,
        ms,
      }),
    );
    expect(formatMonth(startOfDay(next))).not.toBe(formatMonth(startOfDay(day)));
    expect((await objects().books(service, next.slice(0, 7)).sumsOf(1)).totals).not.toEqual([]);
  },
);

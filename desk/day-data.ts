/** Reads what the pictures of a day show: the money of each hour, and of each of thirty days. */

import {ask, type Day, readFile} from './client.ts';
import {CsvRows} from './csv-rows.ts';
import {shiftDay} from './format.ts';

export interface Hours {
  /** Lira that arrived in each hour. */
  readonly amounts: readonly number[];
  readonly counts: readonly number[];
}

export interface DayOfMonth {
  readonly day: string;
  /** Lira. */
  readonly arrived: number;
}

const DAYS = 30;
const CONCURRENCY = 3;

/** @param onRows - Called with the number of rows that were read. */
export async function readHours(
  service: string,
  day: string,
  onRows: (rows: number) => void,
  signal: AbortSignal,
): Promise<Hours> {
  const amounts = Array.from({length: 24}, () => 0);
  const counts = Array.from({length: 24}, () => 0);
  let rows = 0;
  const csv = new CsvRows(({at = '', amount, currency}) => {
    rows += 1;
    const hour = Number(/[T ](\d\d):/.exec(at)?.[1]);
    if (!(hour in amounts) || currency !== 'TRY') return;
    amounts[hour] = (amounts[hour] ?? 0) + Number(amount);
    counts[hour] = (counts[hour] ?? 0) + 1;
  });
  const fields = {service, from: day, to: day, type: 'money.arrived'};
  await readFile(
    'bookings.csv',
    fields,
    (piece) => {
      csv.add(piece);
      onRows(rows);
    },
    signal,
  );
  csv.end();
  return {amounts, counts};
}

/** Closed days, which never change, by service and day. */
const closed = new Map<string, number>();

async function readDay(service: string, day: string, signal: AbortSignal): Promise<DayOfMonth> {
  const key = `${service}\n${day}`;
  const known = closed.get(key);
  if (known !== undefined) return {day, arrived: known};
  const sums: Day = await ask<'showDay'>(`days/${day}`, {service}, signal);
  const arrived = Number(sums.arrived);
  if (sums.closed) closed.set(key, arrived);
  return {day, arrived};
}

/** The thirty days that end with this one. @param onDays - Called with the number of days that were read. */
export async function readMonth(
  service: string,
  last: string,
  onDays: (done: number, all: number) => void,
  signal: AbortSignal,
): Promise<readonly DayOfMonth[]> {
  const days = Array.from({length: DAYS}, (_, index) => shiftDay(last, index + 1 - DAYS));
  const found: DayOfMonth[] = [];
  const waiting = days.values();
  const readWaiting = async () => {
    for (const day of waiting) {
      found.push(await readDay(service, day, signal));
      onDays(found.length, DAYS);
    }
  };
  await Promise.all(Array.from({length: CONCURRENCY}, readWaiting));
  return found.sort((a, b) => a.day.localeCompare(b.day));
}

/** Reads what the pictures of a day show: the money of each hour, and of each of thirty days. */

import {ask, type Day, readFile} from './client.ts';
import {shiftDay} from './format.ts';
import {inParallel} from './in-parallel.ts';

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
  const decoder = new TextDecoder();
  let [file, rows] = ['', 0];
  await readFile(
    'bookings.csv',
    {service, from: day, to: day},
    (piece) => {
      const text = decoder.decode(piece, {stream: true});
      file += text;
      rows += text.split('\n').length - 1;
      onRows(rows);
    },
    signal,
  );
  return hoursOf(file);
}

/** @param file - The rows of a day, as CSV. Money that was withdrawn or matched is taken back in the hour of its row. */
export async function hoursOf(file: string): Promise<Hours> {
  const {parse} = (await import('papaparse')).default;
  const amounts = Array.from({length: 24}, () => 0);
  const counts = Array.from({length: 24}, () => 0);
  const rows = parse<Readonly<Record<string, string>>>(file, {header: true, delimiter: ',', skipEmptyLines: true}).data;
  for (const {at = '', type = '', currency, balance} of rows) {
    const hour = Number(at.slice(11, 13));
    if (!type.startsWith('money.') || currency !== 'TRY') continue;
    amounts[hour] = (amounts[hour] ?? 0) + Number(balance);
    counts[hour] = (counts[hour] ?? 0) + Math.sign(Number(balance));
  }
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
export function readMonth(
  service: string,
  last: string,
  onDays: (done: number, all: number) => void,
  signal: AbortSignal,
): Promise<readonly DayOfMonth[]> {
  const days = Array.from({length: DAYS}, (_, index) => shiftDay(last, index + 1 - DAYS));
  let done = 0;
  return inParallel(days, CONCURRENCY, async (day) => {
    const found = await readDay(service, day, signal);
    done += 1;
    onDays(done, DAYS);
    return found;
  });
}

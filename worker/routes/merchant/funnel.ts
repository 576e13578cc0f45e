/** Visits, clicks and sales of each day. */

import {fieldError, orUnavailable} from '../../http/errors.ts';
import {DAY_MS} from '../../lib/durations.ts';
import {formatAmount, type Kurus} from '../../lib/money.ts';
import {formatPlatformDay, startOfDay} from '../../lib/time.ts';
import {MAX_CAMPAIGNS, NO_CAMPAIGN, OTHER_CAMPAIGNS} from '../../objects/visit-store.ts';
import {daysWithin, monthsWithin} from './books-csv.ts';
import type {Handlers, WriteContext} from './handler.ts';

const MAX_DAYS = 31;
/** Fewer visits and clicks of a campaign are not shown alone. */
const MIN_COUNT = 5;

interface Cell {
  readonly day: string;
  readonly offer: string;
  readonly campaign: string;
  readonly visits: number;
  readonly clicks: number;
  readonly sales: number;
  readonly amount: Kurus;
}

const NONE = {visits: 0, clicks: 0, sales: 0, amount: 0};

export const funnelHandlers: Handlers<'showFunnel'> = {
  async showFunnel({from, to = formatPlatformDay(Date.now())}, context) {
    const days = (startOfDay(to) - startOfDay(from)) / DAY_MS + 1;
    if (days < 1 || days > MAX_DAYS)
      throw fieldError('invalid_request', 'from', `Expected a day at most ${MAX_DAYS} days before to.`);
    const cells = summed([...(await readVisits(from, to, context)), ...(await readSales(from, to, context))]);
    const items = [...Map.groupBy(cells, ({day}) => day).values()].flatMap(shownOf);
    return {items: items.toSorted(bySequence).map(toRow)};
  },
};

async function readVisits(from: string, to: string, {objects}: WriteContext): Promise<Cell[]> {
  const counts = await orUnavailable(() => Promise.all(objects.allActivities().map((each) => each.visits(from, to))));
  return counts.flat().map((count) => ({...NONE, ...count}));
}

async function readSales(from: string, to: string, {config, objects}: WriteContext): Promise<Cell[]> {
  const reads = [...config.services.keys()].flatMap((service) =>
    monthsWithin(from, to).map(async (month) => {
      const {fromDay, toDay} = daysWithin(month, from, to);
      const sold = await objects.books(service, month).salesOf(fromDay, toDay);
      return sold.map(({day, count, ...others}) => ({
        ...NONE,
        ...others,
        day: `${month}-${String(day).padStart(2, '0')}`,
        sales: count,
      }));
    }),
  );
  return (await orUnavailable(() => Promise.all(reads))).flat();
}

/** One cell for each day, offer and campaign. */
function summed(cells: readonly Cell[]): Cell[] {
  const sums = new Map<string, Cell>();
  for (const cell of cells) {
    const key = JSON.stringify([cell.day, cell.offer, cell.campaign]);
    const {visits, clicks, sales, amount} = sums.get(key) ?? NONE;
    sums.set(key, {
      ...cell,
      visits: cell.visits + visits,
      clicks: cell.clicks + clicks,
      sales: cell.sales + sales,
      amount: cell.amount + amount,
    });
  }
  return [...sums.values()];
}

/** The rows of a day: its largest campaigns, and the others of each offer together. */
function shownOf(cells: readonly Cell[]): Cell[] {
  const isNamed = ({campaign}: Cell) => campaign !== NO_CAMPAIGN && campaign !== OTHER_CAMPAIGNS;
  const bySize = cells.filter(isNamed).toSorted((a, b) => b.sales - a.sales || b.visits - a.visits);
  const named = new Set(bySize.slice(0, MAX_CAMPAIGNS));
  return summed(
    cells.flatMap((cell): Cell[] => {
      if (!isNamed(cell)) return [cell];
      const {visits, clicks, sales} = cell;
      if (!named.has(cell)) return [{...cell, campaign: OTHER_CAMPAIGNS}];
      if (visits + clicks >= MIN_COUNT) return [cell];
      const rest = {...cell, ...NONE, visits, clicks, campaign: OTHER_CAMPAIGNS};
      return sales > 0 ? [{...cell, visits: 0, clicks: 0}, rest] : [rest];
    }),
  );
}

const keyOf = ({day, offer, campaign}: Cell) => [day, offer, campaign === OTHER_CAMPAIGNS ? '\uffff' : campaign];

function bySequence(a: Cell, b: Cell): number {
  const [first, second] = [keyOf(a), keyOf(b)].map((key) => key.join('\n')) as [string, string];
  return first < second ? -1 : 1;
}

function toRow({offer, campaign, amount, ...counts}: Cell) {
  const others = campaign === OTHER_CAMPAIGNS;
  return {
    ...counts,
    offer: offer || null,
    campaign: others ? null : campaign || null,
    others,
    amount: formatAmount(amount),
  };
}

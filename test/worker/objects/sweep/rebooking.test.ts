/** Tests what is booked for money that belongs to somebody else than before: its rows always add up to its amount. */

import {expect, test} from 'vitest';
import {DAY_MS} from '../../../../worker/lib/durations.ts';
import {balanceOf, type Booking, type DatedBooking, NO_DETAILS} from '../../../../worker/objects/archive/booking.ts';
import {losersOf, type Owner, rebookings} from '../../../../worker/objects/sweep/rebooking.ts';

const AMOUNT = 14_990;
const money = {
  id: '7001',
  amount: AMOUNT,
  currency: 'TRY',
  bank: 'Akbank',
  at: 5,
  state: 'unknown',
  description: 'lamba',
};
const OPEN_SINCE = 100;

/** The objects of a service, as far as money moves between them: orders book their money themselves while they are open. */
class Service {
  readonly rows: DatedBooking[] = [];
  readonly #open = new Map<string, number>();
  readonly #has = new Set<string>();
  #turns = 0;

  open(order: string, createdAt: number): void {
    if (!this.#open.has(order)) this.#open.set(order, createdAt);
  }

  close(order: string): void {
    this.#open.delete(order);
    this.#has.delete(order);
  }

  /** The platform says that the money is for this order, or for none. */
  assign(order: string | null, isOurs = true): DatedBooking[] {
    const createdAt = this.#open.get(order ?? '');
    if (order !== null && createdAt !== undefined && !this.#has.has(order)) {
      this.#has.add(order);
      this.#book(order, createdAt, 'money.arrived');
    }
    const owner: Owner =
      order !== null && createdAt !== undefined
        ? {is: 'open order', order, createdAt}
        : {is: isOurs ? 'nobody' : 'somebody else', order, code: null};
    const former = [...this.#has].filter((each) => each !== order);
    for (const loser of [...losersOf(this.rows, owner), ...former]) {
      const since = this.#open.get(loser);
      if (since !== undefined && this.#has.delete(loser)) this.#book(loser, since, 'money.withdrawn');
    }
    const added = rebookings(this.rows, owner, this.#open, money, 9);
    this.rows.push(...added);
    // A repeated delivery finds what the first has booked.
    expect(rebookings(this.rows, owner, this.#open, money, 9)).toEqual([]);
    return added;
  }

  sum(): number {
    const ids = this.rows.map(({order, id}) => `${order} ${id}`);
    expect(new Set(ids).size, ids.join('\n')).toBe(ids.length);
    return this.rows.reduce((sum, row) => sum + balanceOf(row), 0);
  }

  #book(order: string, createdAt: number, type: Booking['type']): void {
    const id = [createdAt, type, money.id, (this.#turns += 1)].join(' ');
    this.rows.push({
      ...NO_DETAILS,
      day: '1970-01-01',
      corrects: null,
      id,
      type,
      order,
      at: 5,
      amount: AMOUNT,
      transaction: money.id,
    });
  }
}

const PLACES = [
  'no order',
  'an open order',
  'a closed order',
  'an order that has closed since',
  'another system',
] as const;
const SEQUENCES = PLACES.flatMap((from) => PLACES.map((to) => [from, to] as const));

/** Moves the money to the place, under a name of its own. */
function move(service: Service, place: (typeof PLACES)[number], name: string): DatedBooking[] {
  if (place === 'an open order' || place === 'an order that has closed since') service.open(name, OPEN_SINCE);
  const added = service.assign(place === 'no order' ? null : name, place !== 'another system');
  if (place === 'an order that has closed since') service.close(name);
  return added;
}

test.each(SEQUENCES)('money of %s that now belongs to %s is counted once', (from, to) => {
  const service = new Service();
  move(service, from, 'A');
  move(service, to, 'B');
  expect(service.sum()).toBe(to === 'another system' ? 0 : AMOUNT);
});

test.each([
  ['no order', 'an open order', ['money.matched']],
  ['a closed order', 'an open order', ['money.matched']],
  ['a closed order', 'no order', ['money.matched', 'money.unmatched']],
  ['an order that has closed since', 'an open order', ['money.withdrawn']],
  ['an order that has closed since', 'a closed order', ['money.withdrawn', 'money.unmatched']],
  ['an open order', 'a closed order', ['money.unmatched']],
  ['an open order', 'an open order', []],
  ['no order', 'another system', ['money.matched']],
] as const)('if money of %s belongs to %s, the sweep books %j', (from, to, types) => {
  const service = new Service();
  move(service, from, 'A');
  expect(move(service, to, 'B').map(({type}) => type)).toEqual(types);
});

test('an order that is placed again gets the money that came when it was closed, and what it had before', () => {
  for (const first of ['a closed order', 'an order that has closed since'] as const) {
    const service = new Service();
    move(service, first, 'A');
    service.open('A', OPEN_SINCE + 1);
    service.assign('A');
    expect(service.sum(), first).toBe(AMOUNT);
  }
});

test('an order keeps money that it had before it closed', () => {
  const service = new Service();
  move(service, 'an order that has closed since', 'A');
  expect(service.assign('A')).toEqual([]);
});

test('however often money moves and orders open and close, it is counted once', () => {
  let seed = 20_261_127;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  for (let history = 0; history < 300; history += 1) {
    const service = new Service();
    for (let step = 0; step < 12; step += 1) {
      const name = 'ABC'.charAt(random(3));
      const place = random(4);
      if (place === 0) service.open(name, OPEN_SINCE + step);
      else if (place === 1) service.close(name);
      else {
        service.assign(place === 2 ? null : name);
        expect(service.sum(), `history ${history}, step ${step}`).toBe(AMOUNT);
      }
    }
  }
});

test('money that loses its order belongs to the day of the bank’s time, as before it had the order', () => {
  const now = Date.parse('2026-11-27T12:00:00+03:00');
  const at = now - 3 * DAY_MS;
  const book = (rows: readonly DatedBooking[]) =>
    rebookings(rows, {is: 'nobody', order: null, code: null}, new Map(), {...money, at}, now);
  const row = {type: 'money.unmatched', at, day: '2026-11-24', corrects: null} as const;
  const unmatched = book([]);
  expect(unmatched).toMatchObject([row]);
  const matched = unmatched.map((each) => Object.assign({}, each, {type: 'money.matched' as const}));
  expect(book([...unmatched, ...matched])).toMatchObject([row]);
});

test('money that a closed order loses is taken back as the order booked it last', () => {
  const common = {
    ...NO_DETAILS,
    order: 'A',
    at: 5,
    amount: AMOUNT,
    transaction: money.id,
    day: '2026-11-24',
    corrects: null,
  };
  const rows: readonly DatedBooking[] = [
    {...common, id: '100 1', type: 'money.arrived'},
    {...common, id: '100 2', type: 'money.withdrawn', at: 6},
    {...common, id: '100 3', type: 'money.arrived', late: true, day: '2026-11-26', corrects: '2026-11-24'},
  ];
  const owner: Owner = {is: 'nobody', order: null, code: null};
  expect(rebookings(rows, owner, new Map(), money, 9)[0]).toMatchObject({
    type: 'money.withdrawn',
    late: true,
    day: '2026-11-26',
    amount: AMOUNT,
  });
});

test('a charge that a closed order has is not taken from it with a transfer of the same id', () => {
  const charge: DatedBooking = {
    ...NO_DETAILS,
    id: '100 1',
    type: 'money.arrived',
    order: 'A',
    at: 5,
    amount: AMOUNT,
    method: 'charge',
    transaction: money.id,
    day: '2026-11-24',
    corrects: null,
  };
  const owner: Owner = {is: 'nobody', order: null, code: null};
  expect(losersOf([charge], owner)).toEqual([]);
  expect(rebookings([charge], owner, new Map(), money, 9).map(({type}) => type)).toEqual(['money.unmatched']);
});

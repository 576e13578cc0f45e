/** The endpoints of the day's books: totals of a day, and the search of their rows. */

import * as z from 'zod/mini';
import {foldedWords} from '../../lib/names.ts';
import {BOOKING_TYPES, CLOSING_HOUR} from '../booking-types.ts';
import {endpoint} from '../endpoint.ts';
import {PAYMENT_STATES, text} from '../fields.ts';
import {KnownBefore, Money, NullableText, pageOf, TimeUnknown} from './answer-fields.ts';
import {AmountOrZero, Cursor, Day, Order, Service} from './fields.ts';

const Amount = DESCRIBED && z.string().check(z.meta({description: 'Decimal text in lira.', examples: ['149.90']}));
const Instant = DESCRIBED && z.string().check(z.meta({examples: ['2026-11-21T15:42:00+03:00']}));
const Sum = DESCRIBED && z.strictObject({count: z.int(), amount: Amount});
const State = z.enum(PAYMENT_STATES);
export const Numbers = z.enum(['plain', 'tr']);
const Method =
  DESCRIBED &&
  z
    .nullable(z.enum(['transfer', 'charge']))
    .check(z.describe('How the money came: by a bank transfer, or as a charge on a phone bill.'));

export const Booking =
  DESCRIBED &&
  z
    .strictObject({
      day: z.string().check(z.describe('The day to which the row belongs, in Turkey.')),
      number: z.int().check(z.describe('The number of the row in its day.')),
      corrects: NullableText.check(z.describe('The closed day on which it happened; null if it happened on `day`.')),
      at: Instant.check(z.describe('When it happened: for money the bank’s time.')),
      booked_at: Instant,
      type: z.enum(BOOKING_TYPES),
      state: z.nullable(State).check(z.describe('The state that the order reached with this row.')),
      late: z
        .boolean()
        .check(
          z.describe(
            'Whether the money, or the money that this row takes back, came after the time to pay, when it was still needed.',
          ),
        ),
      time_unknown: TimeUnknown,
      known_before: z.optional(KnownBefore),
      order: NullableText.check(z.describe('Null for money without an order.')),
      order_code: NullableText,
      order_amount: Money,
      user_id: NullableText,
      amount: Money.check(z.describe('The money or the refund of this row.')),
      balance: Amount.check(
        z.describe('How the row changes the sum of the merchant’s lira: the amount, its negative, or 0.'),
      ),
      currency: z.string(),
      bank_name: NullableText.check(z.describe('The bank that received the money.')),
      method: Method,
      sender: NullableText.check(z.describe('The sender’s name, as the bank writes it.')),
      description: NullableText.check(z.describe('What the sender wrote; only of money without an order.')),
      transaction_id: NullableText,
      refund_id: NullableText,
      bank_receipt_no: NullableText.check(
        z.describe('The bank’s number of a transfer (its `ref_no`), or of a refund that was sent.'),
      ),
      notice_code: NullableText.check(z.describe('The code of a payment notice; `amount` is what the shopper wrote.')),
    })
    .check(z.meta({id: 'Booking'}));

const SearchedAt =
  DESCRIBED &&
  z.nullable(Instant).check(z.describe('When the Worker last read the platform’s new payments; null if it never did.'));

export const BooksDay =
  DESCRIBED &&
  z
    .strictObject({
      service: z.string(),
      day: z.string(),
      closed: z.boolean().check(z.describe('Whether the day gets no more rows.')),
      closes_at: Instant.check(z.describe(`0${CLOSING_HOUR}:00 of the next day, in Turkey.`)),
      searched_at: SearchedAt,
      arrived: Amount.check(
        z.describe(
          'All money in lira that arrived for orders here, or names no order. Money that names an order of another system is not booked.',
        ),
      ),
      refunded: Amount,
      balance: Amount.check(z.describe('`arrived` less `refunded`.')),
      banks: z
        .array(
          z.strictObject({
            bank_name: NullableText,
            method: Method,
            currency: z.string(),
            count: z.int(),
            arrived: Amount,
          }),
        )
        .check(
          z.describe(
            'The money that arrived, by bank. A charge on a phone bill has no bank. Money whose amount cannot be read does not count.',
          ),
        ),
      orders: z
        .array(z.strictObject({state: State, count: z.int(), amount: Amount}))
        .check(
          z.describe(
            'How many orders reached each state on this day, and the sum of their amounts. An order counts once for each state. `waiting`: placed, or without money again.',
          ),
        ),
      late: Sum.check(z.describe('Money that came after the time to pay, less such money that was withdrawn.')),
      overdue: Sum.check(z.describe('Orders whose time to pay ended with a part of the amount.')),
      unmatched: Sum.check(z.describe('Money without an order, less such money that found its order.')),
      refunds: z
        .array(
          z.strictObject({
            state: z.enum(['requested', 'settled', 'failed']),
            bank_name: NullableText,
            method: Method,
            count: z.int(),
            amount: Amount,
          }),
        )
        .check(
          z.describe('By the bank that had received the money: null if it is not known, or money came at several.'),
        ),
      corrections: z
        .array(z.strictObject({day: z.string(), count: z.int(), balance: Amount}))
        .check(z.describe('The rows that correct an earlier closed day. The sums above include them.')),
    })
    .check(z.meta({id: 'BooksDay'}));

const BookingSearch = z
  .strictObject({
    service: Service,
    from: z.optional(Day),
    to: z.optional(Day),
    sender: z.optional(
      text(100).check(z.refine((name) => foldedWords(name).length > 0, 'Expected a letter or digit.')),
    ),
    user_id: z.optional(text(255)),
    amount: z.optional(AmountOrZero),
    bank: z.optional(text(100)),
    state: z.optional(State),
    type: z.optional(z.enum(BOOKING_TYPES)),
    code: z.optional(text(64)),
    order: z.optional(Order),
    id: z.optional(text(64)),
    numbers: z.optional(Numbers),
    cursor: z.optional(Cursor),
  })
  .check(z.refine(({from, to}) => !from || !to || from <= to, {path: ['to'], message: 'This date is before from.'}));

export const bookingExample = {
  day: '2026-11-21',
  number: 812,
  corrects: null,
  at: '2026-11-21T15:42:00+03:00',
  booked_at: '2026-11-21T15:42:09+03:00',
  type: 'money.arrived',
  state: 'paid',
  late: false,
  time_unknown: false,
  order: 'S-1009',
  order_code: '881200450017',
  order_amount: '149.90',
  user_id: null,
  amount: '149.90',
  balance: '149.90',
  currency: 'TRY',
  bank_name: 'Garanti BBVA',
  method: 'transfer',
  sender: 'Deniz Örnek',
  description: null,
  transaction_id: '77001',
  refund_id: null,
  bank_receipt_no: null,
  notice_code: null,
} as const;

export const PAGES =
  'It may have fewer, or none, although `next_cursor` leads to more: only null means that nothing is left.';
const CSV =
  'The path with `.csv`, or `Accept: text/csv`, returns all rows as a file, oldest first. With `numbers=tr`, columns end with ' +
  'a semicolon, amounts are written as `149,90` and codes as formulas that give their text; otherwise with a comma and `149.90`. The file’s name ends with `-open` while a day of it is open.';

export const books = {
  showDay: endpoint({
    method: 'GET',
    path: '/merchant/v1/days/{day}',
    scope: 'read',
    service: 'code',
    csv: true,
    input: z.strictObject({service: Service, day: Day, numbers: z.optional(Numbers)}),
    docs: DESCRIBED && {
      client: 'books.day',
      summary: 'Shows the sums of a day: what arrived, was refunded and expired on it.',
      description:
        `A day in Turkey closes at 0${CLOSING_HOUR}:00 of the next day. Then its rows never change: what is found later is a row of ` +
        'the day on which it is found, and `corrects` names the closed day. Today is open. A day to come, or of more than ' +
        `400 days ago, is refused. ${CSV}`,
      fields: {numbers: {description: 'How the file writes numbers.', examples: ['tr']}},
      answer: BooksDay,
      codes: ['unknown_service'],
      example: {
        input: {service: 'DEMO', day: '2026-11-21'},
        answer: {
          service: 'DEMO',
          day: '2026-11-21',
          closed: true,
          closes_at: '2026-11-22T09:00:00+03:00',
          searched_at: '2026-11-22T10:00:00+03:00',
          arrived: '149.90',
          refunded: '0.00',
          balance: '149.90',
          banks: [{bank_name: 'Garanti BBVA', method: 'transfer', currency: 'TRY', count: 1, arrived: '149.90'}],
          orders: [
            {state: 'waiting', count: 1, amount: '149.90'},
            {state: 'paid', count: 1, amount: '149.90'},
          ],
          late: {count: 0, amount: '0.00'},
          overdue: {count: 0, amount: '0.00'},
          unmatched: {count: 0, amount: '0.00'},
          refunds: [],
          corrections: [],
        },
      },
    },
  }),
  searchBookings: endpoint({
    method: 'GET',
    path: '/merchant/v1/bookings',
    scope: 'read',
    service: 'code',
    csv: true,
    input: BookingSearch,
    docs: DESCRIBED && {
      client: 'books.search',
      summary: 'Searches the rows of the books: orders, money and refunds.',
      description:
        'Rows are sorted newest first, and rows that are added later do not move those of the next pages. Without `from` and ' +
        `\`to\`, the newest rows are searched first, month by month. A page has at most 100 rows. ${PAGES} All given fields ` +
        `must fit. ${CSV} A file needs \`from\` and covers at most 31 days, with as many rows as these have.`,
      fields: {
        from: {description: 'The first day.'},
        to: {description: 'The last day; today by default.'},
        sender: {
          description:
            'Words of the sender’s name, in any case and with or without Turkish letters. The last word may be a beginning of three letters or more.',
          examples: ['yildiz ipe'],
        },
        user_id: {
          description:
            'As your server gave it. Only the rows `order.placed` and `order.amended` have it; an order has no rows before it has a code or a payment page.',
          examples: ['customer-7'],
        },
        amount: {description: 'Of the money or the refund; of the order, if the row has neither.'},
        bank: {description: 'Name of the bank, as in the rows.', examples: ['Garanti BBVA']},
        state: {examples: ['paid']},
        type: {examples: ['money.arrived']},
        numbers: {examples: ['plain']},
        code: {description: 'The order code, with or without spaces.', examples: ['881200450017']},
        id: {
          description:
            'Id of a transaction, charge, refund, refund link, command or event, a number of the bank’s receipt, or the code of a payment notice.',
          examples: ['77001'],
        },
      },
      answer: z.extend(pageOf(Booking), {searched_at: SearchedAt}),
      codes: ['unknown_service'],
      example: {
        input: {service: 'DEMO', sender: 'ornek', from: '2026-11-01'},
        answer: {items: [bookingExample], next_cursor: null, total: null, searched_at: '2026-11-22T10:00:00+03:00'},
      },
    },
  }),
};

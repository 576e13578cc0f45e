/**
 * Whether an answer is what the contract promises. Only what the elements show is looked at, so that a Worker
 * that says more than today does not break the pages of yesterday.
 */
import type {Bank, BankList, Handoff, Localized, OrderCode, Payment, PaymentState, RedeemedSession, Session} from '../../worker/contract/browser.ts';
import type {PageErrorCode} from '../../worker/contract/codes.ts';

type Check = (value: unknown) => boolean;
export type Accept<T> = (value: unknown) => value is T;

/** What the elements read of a problem's body. */
export interface ProblemBody {
  readonly code: PageErrorCode;
  readonly retryable: boolean;
}

/** Every state, and whether nothing is asked any more after it unless the shopper comes back to the tab. */
export const SETTLED: Record<PaymentState, boolean> = {
  waiting: false,
  partial: false,
  paid: true,
  overpaid: true,
  completed: true,
  refunded: true,
  expired: true,
};

const text: Check = (value) => typeof value === 'string';
const flag: Check = (value) => typeof value === 'boolean';
const time: Check = (value) => !Number.isNaN(Date.parse(String(value)));
const money: Check = (value) => typeof value === 'string' && /^\d+\.\d\d$/.test(value);

function shape<T>(fields: {readonly [K in keyof T]?: Check}): Accept<T> {
  return (value): value is T =>
    typeof value === 'object' &&
    value !== null &&
    Object.entries<Check>(fields as Record<string, Check>).every(([name, check]) =>
      check((value as Record<string, unknown>)[name]),
    );
}

function list(check: Check): Check {
  return (value) => Array.isArray(value) && value.every(check);
}

const isLocalized = shape<Localized>({tr: text, en: text});
const maybeLocalized: Check = (value) => value === null || isLocalized(value);
const isArrival = shape<BankList['arrival']>({same_bank: maybeLocalized, other_bank: maybeLocalized});

/** Also of a session that was handed off, which may have no title. */
export const isSession = shape<Session & RedeemedSession>({token: text, title: maybeLocalized, amount: money});

export const isHandoff = shape<Handoff>({code: text});

export const isBankList = shape<BankList>({
  banks: list(shape<Bank>({code: text, name: text, account_holder: text, iban: text})),
  stale: flag,
  // A Worker of yesterday says nothing of it.
  arrival: (value) => value === undefined || isArrival(value),
});

export const isOrderCode = shape<OrderCode>({order_code: text, amount: money});

export const isPayment = shape<Payment>({
  state: (value) => typeof value === 'string' && Object.hasOwn(SETTLED, value),
  amount: money,
  paid: money,
  remaining: money,
  late: flag,
  transactions: list(shape({amount: money, bank: text, at: time})),
});

export const isProblem = shape<ProblemBody>({code: text, retryable: flag});

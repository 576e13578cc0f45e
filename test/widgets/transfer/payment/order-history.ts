/** What can happen to one order: the shopper's taps, reloads, other tabs, lost answers, money, refunds and reports. */

import {Problem} from '../../../../widgets/core/problem.ts';
import {PENDING, valueOf, type QueryResult} from '../../../../widgets/core/query.ts';
import {nextOfLink} from '../../../../widgets/transfer/handoff/link-events.ts';
import {isFinal, next, type PurchaseEvent} from '../../../../widgets/transfer/payment/payment-events.ts';
import {paymentView, type PaymentView} from '../../../../widgets/transfer/payment/payment-view.ts';
import {savedOrder, showOrder, type PurchaseFacts} from '../../../../widgets/transfer/purchase/facts.ts';
import type {OrderCode, Payment} from '../../../../worker/contract/browser/answers.ts';
import {FEW_BANKS, orderCode, redeemed, session, transaction} from '../../stub-worker/answers.ts';

export const AMOUNT = 14_990;
const KEY = {offer: 'gold', session: ''};
const HOUR_MS = 3_600_000;

const decimal = (kurus: number) => `${Math.floor(kurus / 100)}.${String(kurus % 100).padStart(2, '0')}`;

/** What is true of the order, whether or not the page knows it. */
interface Truth {
  readonly arrivals: readonly number[];
  readonly refunded: number;
  readonly isRefunding: boolean;
  readonly isForeign: boolean;
  readonly isCompleted: boolean;
  readonly isCancelled: boolean;
  /** Whether none of the money counts yet. */
  readonly isPending: boolean;
  readonly isOver: boolean;
  readonly isLate: boolean;
  readonly notice: {readonly sent: boolean | null} | undefined;
  readonly isRejected: boolean;
}

/** One page, the browser that it is in, and the Worker. */
export interface World {
  readonly truth: Truth;
  readonly facts: PurchaseFacts;
  readonly now: number;
  /** When the shopper last said that the money is sent: the session, and what had arrived. Pages must not forget it. */
  readonly said?: {readonly token: string | undefined; readonly paid: string} | undefined;
}

const NEW_ORDER: Truth = {
  arrivals: [],
  refunded: 0,
  isRefunding: false,
  isForeign: false,
  isCompleted: false,
  isCancelled: false,
  isPending: false,
  isOver: false,
  isLate: false,
  notice: undefined,
  isRejected: false,
};

/** The Worker's answer, by the rules of `worker/objects/order/payment.ts`. */
function paymentOf({arrivals, refunded, isForeign, isOver, isLate, notice, ...truth}: Truth): Payment {
  const arrived = arrivals.reduce((sum, each) => sum + each, 0);
  const isPending = truth.isPending && arrived > 0 && refunded === 0;
  const counted = isPending ? 0 : arrived;
  const paid = counted - refunded;
  const open = isPending ? 'pending' : counted > 0 ? 'partial' : isOver ? 'expired' : 'waiting';
  const state =
    refunded > 0 && paid === 0
      ? 'refunded'
      : truth.isCompleted
        ? 'completed'
        : truth.isCancelled
          ? 'cancelled'
          : paid > AMOUNT
            ? 'overpaid'
            : counted >= AMOUNT
              ? 'paid'
              : open;
  return {
    order: 'P-1009',
    order_code: '881200450017',
    state,
    amount: decimal(AMOUNT),
    currency: 'TRY',
    paid: decimal(paid),
    refunded: decimal(refunded),
    refunding: decimal(truth.isRefunding ? paid : 0),
    remaining: decimal(Math.max(0, AMOUNT - arrived)),
    late: isLate,
    overdue: isOver && (state === 'partial' || state === 'expired'),
    unclear: isForeign || isPending,
    notice: notice ? {at: '2026-11-21T15:42:00+03:00', bank: 'toros', amount: '149.90', ...notice} : null,
    transactions: arrivals.map((each, index) => transaction(decimal(each), {id: String(index)})),
    handed_over_at: null,
    revision: 1,
    as_of: '2026-11-21T15:42:00+03:00',
  };
}

const done = <T>(value: T): QueryResult<T> => ({status: 'done', value});
const failed = (code: 'network' | 'session_expired' | 'platform_refused' | 'buyer_required') =>
  ({status: 'failed', problem: new Problem(code, code === 'network')}) as const;

/** A page as it opens: with what the browser has saved, and without any answer. */
export function openPage(own: PurchaseFacts['own'], brought: PurchaseFacts['brought'] = {}): PurchaseFacts {
  const nothing = {session: undefined, orderCode: PENDING, codeBank: '', isKept: true, isOnline: true} as const;
  return showOrder(
    {...nothing, key: KEY, link: undefined, lastBank: '', own, brought},
    brought.session ? 'brought' : 'own',
  );
}

const change =
  (event: PurchaseEvent) =>
  (world: World): World => ({...world, facts: next(world.facts, event)});
export const learn =
  (answers: (world: World) => Partial<PurchaseFacts>) =>
  (world: World): World => ({...world, facts: {...world.facts, ...answers(world)}});
export const happen =
  (truth: (truth: Truth) => Partial<Truth>) =>
  (world: World): World => ({...world, truth: {...world.truth, ...truth(world.truth)}});
/** Something that only a page in this state can do. */
const when =
  (condition: (view: PaymentView, world: World) => boolean, step: (world: World) => World) =>
  (world: World): World =>
    condition(paymentView(world.facts, world.now), world) ? step(world) : world;
export const both =
  (...steps: readonly ((world: World) => World)[]) =>
  (world: World): World =>
    steps.reduce((result, step) => step(result), world);

const readCode = learn(({truth, facts}) => {
  if (!facts.session) return {orderCode: PENDING};
  if (truth.isRejected) return {orderCode: failed('session_expired')};
  const bank = FEW_BANKS.find(({code}) => code === facts.bank) ?? null;
  return {orderCode: done<OrderCode>({...orderCode(), account: bank}), codeBank: facts.bank};
});
const readPayment = when(
  (_, {facts, truth}) => facts.session !== undefined && !truth.isRejected,
  (world) => change({is: 'payment-answered', payment: done(paymentOf(world.truth))})(world),
);
export const openSession = learn(({facts}) => ({session: savedOrder(facts).session ?? session()}));
const showCode = when(
  ({code}) => code !== undefined,
  (world) => {
    const {code, account} = paymentView(world.facts, world.now);
    return code ? change({is: 'code-shown', orderCode: code, account})(world) : world;
  },
);
/** The page has a session, and asks for all that it can know. */
export const catchUp = both(openSession, readCode, readPayment, showCode);
/** Something happens to the order, and the page learns of it at once. */
const learnOf = (truth: (truth: Truth) => Partial<Truth>) => both(happen(truth), readPayment);
const saySent = both(
  showCode,
  (world) => change({is: 'money-sent', at: world.now})(world),
  (world) => {
    const {session: open, order} = world.facts;
    return {...world, said: {token: open?.token, paid: valueOf(order.payment)?.paid ?? '0.00'}};
  },
);
const arrive = (kurus: number) => learnOf(({arrivals, isOver}) => ({arrivals: [...arrivals, kurus], isLate: isOver}));

/** Everything that can happen. */
export const STEPS: Readonly<Record<string, (world: World) => World>> = {
  'the page catches up': catchUp,
  'the page opens a session': openSession,
  // A page that has a session opens no other with the same token.
  'the session is saved': (world) =>
    world.facts.session ? world : change({is: 'session-created', session: session()})(world),
  'the shopper taps a bank': both(
    change({is: 'chosen', choice: {bank: 'toros'}}),
    change({is: 'chosen', choice: {step: 'pay'}}),
  ),
  'the code arrives': readCode,
  'the code is shown': showCode,
  'the answer with the code is lost': learn(() => ({orderCode: failed('network')})),
  'the platform refuses the code': learn(() => ({orderCode: failed('platform_refused')})),
  'the order asks who buys': learn(() => ({orderCode: failed('buyer_required')})),
  'the payment is read': readPayment,
  'the answer with the payment is lost': (world) =>
    valueOf(world.facts.order.payment) ? world : change({is: 'payment-answered', payment: failed('network')})(world),
  'the shopper says that the money is sent': when(
    ({instructions, account, is}) => instructions === 'open' && account !== undefined && is !== 'choose-bank',
    saySent,
  ),
  'the shopper takes back that the money is sent': when(
    ({canUnsay}) => canUnsay,
    (world) => ({
      ...change({is: 'money-unsent'})(world),
      said: undefined,
    }),
  ),
  'the shopper wants another bank': (world) =>
    when(
      ({code, instructions, is}) => code !== undefined && instructions !== 'hidden' && is !== 'choose-bank',
      change({is: 'bank-change-asked', isClosed: paymentView(world.facts, world.now).instructions === 'closed'}),
    )(world),
  'the shopper opens the form for a report': when(({report}) => report === 'offered', change({is: 'report-opened'})),
  'the shopper closes the form': when(({report}) => report === 'open', change({is: 'report-closed'})),
  'the shopper sends the form': when(
    ({report}) => report === 'open',
    both(
      saySent,
      learnOf(() => ({notice: {sent: false}})),
    ),
  ),
  'the shopper returns from the platform': when(
    (_, {facts}) => !!valueOf(facts.order.payment)?.notice,
    (world) => change({is: 'report-submitted', at: world.now})(saySent(world)),
  ),
  'the shopper begins a report on another device': learnOf(({notice}) => ({notice: notice ?? {sent: false}})),
  'the platform receives the report': learnOf(({notice}) => (notice ? {notice: {sent: true}} : {})),
  'the platform finds the money of the report': learnOf(({notice, arrivals}) =>
    notice && arrivals.length > 0 ? {notice: undefined} : {},
  ),
  'the platform does not say whether it has the report': learnOf(({notice}) => (notice ? {notice: {sent: null}} : {})),
  'a part of the money arrives': arrive(10_000),
  'all of the money arrives': arrive(AMOUNT),
  'the rest arrives': learnOf(({arrivals}) => ({
    arrivals: [...arrivals, Math.max(0, AMOUNT - arrivals.reduce((sum, each) => sum + each, 0))].filter(Boolean),
  })),
  'money in another currency arrives': learnOf(() => ({isForeign: true})),
  'the money does not count yet': learnOf(() => ({isPending: true})),
  'the money is approved': learnOf(() => ({isPending: false})),
  'the seller cancels the order': learnOf(({arrivals}) => ({isCancelled: arrivals.length === 0})),
  'the seller sends all of the money back': learnOf(({arrivals, refunded}) => ({
    isRefunding: arrivals.length > 0 && refunded === 0,
  })),
  'all of the money is refunded': learnOf(({arrivals}) => ({
    refunded: arrivals.reduce((sum, each) => sum + each, 0),
    isRefunding: false,
  })),
  'the seller confirms the order': learnOf(({arrivals}) => ({isCompleted: arrivals.length > 0})),
  'the deadline passes': learnOf(() => ({isOver: true})),
  'the deadline passes without an answer': happen(() => ({isOver: true})),
  'a minute passes': (world) => ({...world, now: world.now + 60_000}),
  'two hours pass': (world) => ({...world, now: world.now + 2 * HOUR_MS}),
  'the Worker rejects the session': (world) => {
    const token = world.facts.session?.token;
    const rejected = {...world, truth: {...world.truth, isRejected: true}};
    if (token === undefined) return rejected;
    const refused = change({is: 'session-refused', token})(rejected);
    const {code} = paymentView(world.facts, world.now);
    const payment = valueOf(world.facts.order.payment);
    if (code && payment && !isFinal(payment) && refused.facts.session === undefined)
      throw new Error('The page left an order whose code the shopper may be typing.');
    return refused;
  },
  'the page is reloaded': (world) => catchUp({...world, facts: openPage(world.facts.own, world.facts.brought)}),
  'another tab starts a new order': learn(({facts}) => ({
    own: {...facts.own, session: session({token: 'a.b.of-other-tab'}), instructions: undefined},
  })),
  'another tab chooses the step': learn(({facts}) => ({own: {...facts.own, step: 'pay'}})),
  'the shopper opens a hand-off link': (world) => ({
    ...world,
    said: undefined,
    facts: nextOfLink(
      {...world.facts, link: {vezne: 'a-code'}},
      {is: 'link-opened', session: redeemed(), isAccepted: true},
    ),
  }),
  'the shopper starts over': when(
    ({leavesTo}) => leavesTo !== 'nothing',
    (world) => ({truth: NEW_ORDER, now: world.now, facts: next(world.facts, {is: 'started-over'})}),
  ),
  'the device goes offline': learn(() => ({isOnline: false})),
  'the device is online again': learn(() => ({isOnline: true})),
  'the browser stores nothing': learn(() => ({isKept: false})),
};

export const toCode = [
  'the page opens a session',
  'the session is saved',
  'the shopper taps a bank',
  'the page catches up',
];

/** Before the first answer. Only the table of views needs it. */
export const UNREAD = 'the payment is not read yet';

export function after(steps: readonly string[]): World {
  const first = {truth: NEW_ORDER, facts: openPage({}), now: Date.parse('2026-11-21T15:42:00+03:00')};
  const forget = learn(() => ({order: {}}));
  return steps.reduce<World>((world, step) => (step === UNREAD ? forget : STEPS[step])?.(world) ?? world, first);
}

/**
 * What a shopper sees after anything that can happen: random histories of one order, with the shopper's taps, reloads,
 * other tabs, answers and lost answers, money, refunds, reports and the clock. After each step, all views of the page
 * must agree with each other and with what the page knows.
 *
 * `VEZNE_HISTORIES=20000` runs that many histories, `VEZNE_SEED` repeats a run.
 */

import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {Problem} from '../../../../widgets/core/problem.ts';
import {PENDING, valueOf, type QueryResult} from '../../../../widgets/core/query.ts';
import {paymentMessages} from '../../../../widgets/locales/payment.ts';
import {nextOfLink} from '../../../../widgets/transfer/handoff/link-events.ts';
import {isFinal, next, type PurchaseEvent} from '../../../../widgets/transfer/payment/payment-events.ts';
import {paymentView, type PaymentView, type Place} from '../../../../widgets/transfer/payment/payment-view.ts';
import {wordsOf} from '../../../../widgets/transfer/payment/payment-words.ts';
import {savedOrder, showOrder, type PurchaseFacts} from '../../../../widgets/transfer/purchase/facts.ts';
import type {OrderCode, Payment} from '../../../../worker/contract/browser/answers.ts';
import {FEW_BANKS, orderCode, redeemed, session, transaction} from '../../stub-worker/answers.ts';

const HISTORIES = Number(process.env.VEZNE_HISTORIES ?? 300);
const SEED = Number(process.env.VEZNE_SEED ?? Date.now() % 2 ** 31);

const AMOUNT = 14_990;
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
interface World {
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
    as_of: '2026-11-21T15:42:00+03:00',
  };
}

const done = <T>(value: T): QueryResult<T> => ({status: 'done', value});
const failed = (code: 'network' | 'session_expired' | 'platform_refused') =>
  ({status: 'failed', problem: new Problem(code, code === 'network')}) as const;

/** A page as it opens: with what the browser has saved, and without any answer. */
function openPage(own: PurchaseFacts['own'], brought: PurchaseFacts['brought'] = {}): PurchaseFacts {
  const nothing = {session: undefined, orderCode: PENDING, codeBank: '', isKept: true, isOnline: true} as const;
  return showOrder(
    {...nothing, key: KEY, link: undefined, lastBank: '', own, brought},
    brought.session ? 'brought' : 'own',
  );
}

const change =
  (event: PurchaseEvent) =>
  (world: World): World => ({...world, facts: next(world.facts, event)});
const learn =
  (answers: (world: World) => Partial<PurchaseFacts>) =>
  (world: World): World => ({...world, facts: {...world.facts, ...answers(world)}});
const happen =
  (truth: (truth: Truth) => Partial<Truth>) =>
  (world: World): World => ({...world, truth: {...world.truth, ...truth(world.truth)}});
/** Something that only a page in this state can do. */
const when =
  (condition: (view: PaymentView, world: World) => boolean, step: (world: World) => World) =>
  (world: World): World =>
    condition(paymentView(world.facts, world.now), world) ? step(world) : world;
const both =
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
const openSession = learn(({facts}) => ({session: savedOrder(facts).session ?? session()}));
const showCode = when(
  ({code}) => code !== undefined,
  (world) => {
    const {code, account} = paymentView(world.facts, world.now);
    return code ? change({is: 'code-shown', orderCode: code, account})(world) : world;
  },
);
/** The page has a session, and asks for all that it can know. */
const catchUp = both(openSession, readCode, readPayment, showCode);
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
const STEPS: Readonly<Record<string, (world: World) => World>> = {
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

const PLACES: readonly Place[] = [
  {in: 'checkout'},
  {in: 'checkout', banks: FEW_BANKS},
  {in: 'code'},
  {in: 'status'},
  {in: 'button', via: 'payment-page'},
  {in: 'button', via: 'bank-page', isUnpaid: true},
];

const t = paymentMessages.en;

/** Whether a shopper reads in this view that money is to be sent now. */
function asksForMoney(view: PaymentView): boolean {
  const isAsking = ['pay', 'partial', 'partial-at-platform', 'unpaid-at-platform'].includes(view.is);
  return isAsking || view.action === 'copy-code' || (view.instructions === 'open' && view.code !== undefined);
}

/** The rules, by what they forbid. Each returns whether the view breaks the rule. */
const RULES: Readonly<Record<string, (view: PaymentView, words: string, world: World, place: Place) => boolean>> = {
  'asks to send money and not to send it': (view, words, _, place) =>
    /Don’t send|don’t pay again/.test(words) && place.in !== 'button' && asksForMoney(view),
  'asks for money that has arrived': (view, _, {facts}) => {
    const payment = valueOf(facts.order.payment);
    return (
      payment !== undefined &&
      (isFinal(payment) || payment.unclear || payment.state === 'pending') &&
      (asksForMoney(view) || view.is === 'choose-bank')
    );
  },
  'asks for money that the shopper has sent or reported': (view, _, {facts, said}, place) => {
    // After a reload without an answer, the page still knows what it last read.
    const {paid: lastPaid = '0.00'} = savedOrder(facts).instructions ?? {};
    const {notice, state = 'waiting', paid = lastPaid} = valueOf(facts.order.payment) ?? {};
    const isSaid = said !== undefined && said.token === facts.session?.token && said.paid === paid;
    // Of an unfinished report, the page does not know whether it means money that has arrived since.
    const isReported = !!notice?.sent || (!!notice && state !== 'partial');
    return place.in !== 'button' && (isReported || isSaid) && asksForMoney(view);
  },
  'asks for money after the deadline, or although the seller sends it back': (view, _, {facts}) => {
    const {overdue = false, refunding} = valueOf(facts.order.payment) ?? {};
    const isAskedFor = asksForMoney(view) || (view.is === 'choose-bank' && !facts.order.isChangingBank);
    return (overdue || Number(refunding) > 0) && isAskedFor;
  },
  'offers another payment although a part has arrived': ({is, leavesTo, part}, words) =>
    /^(partial-over|expired)/.test(is) && !!part && (leavesTo === 'new-order' || /new payment/.test(words)),
  'shows an amount as due although nothing is': (view) =>
    view.isOver && view.amount !== undefined && view.amount.is !== 'settled',
  'says of a lost order that the page updates': (view, words) => view.isLost && /updates automatically/.test(words),
  'promises to keep a code that is not kept': (view, words) => !view.isKept && /without losing your code/.test(words),
  'names a step that the page does not offer': (view, words) =>
    /start a new payment/i.test(words) !== (view.leavesTo === 'new-order') &&
    (view.is === 'expired' || view.is === 'lost'),
  'offers a button for something that is not there': ({action, code, instructions, leavesTo, report}) =>
    (action === 'copy-code' && (!code || instructions !== 'open')) ||
    (action === 'start-over' && leavesTo === 'nothing') ||
    (action === 'send-report' && report !== 'open') ||
    (action === 'finish-report' && report === 'none'),
  'differs from the checkout of the same page': (view, _, {facts, now}, place) => {
    if (place.in === 'button') return false;
    const {instructions, isOver, report} = paymentView(facts, now);
    return instructions !== view.instructions || isOver !== view.isOver || report !== view.report;
  },
  'leads nowhere': (view, _, {facts}) => {
    const isWaiting = !facts.order.isSessionEnded && !view.isOver;
    const isEnd = ['paid', 'completed', 'refunding', 'refunded'].includes(view.is);
    // Without a session and without a code, `vezne-payment-code` shows the refusal and how to reach the seller.
    return view.action === 'none' && view.leavesTo === 'nothing' && !isWaiting && !isEnd && view.is !== 'no-code';
  },
};

/** The rules that a world breaks. */
function brokenRules(world: World): readonly string[] {
  return PLACES.flatMap((place) => {
    const view = paymentView(world.facts, world.now, place);
    const {title, text} = wordsOf(view, t, 'en');
    return Object.entries(RULES)
      .filter(([, breaks]) => breaks(view, `${title} ${text}`, world, place))
      .map(([rule]) => `${place.in}: the view ${view.is} ${rule}`);
  });
}

/** Steps that would otherwise end most histories soon. */
const isRare = (step: string) =>
  /rejects|another tab|hand-off|refuses|stores nothing|starts over|confirms|cancels/.test(step);

const toCode = ['the page opens a session', 'the session is saved', 'the shopper taps a bank', 'the page catches up'];

/** Before the first answer. Only the table needs it. */
const UNREAD = 'the payment is not read yet';

function after(steps: readonly string[]): World {
  const first = {truth: NEW_ORDER, facts: openPage({}), now: Date.parse('2026-11-21T15:42:00+03:00')};
  const forget = learn(() => ({order: {}}));
  return steps.reduce<World>((world, step) => (step === UNREAD ? forget : STEPS[step])?.(world) ?? world, first);
}

interface Row {
  /** What happens after the page has shown the code. */
  readonly after: readonly string[];
  readonly place?: Place;
  /** Title and text. */
  readonly says: string;
  /** How the instructions are shown, and the one primary action. */
  readonly shows: `${PaymentView['instructions']} · ${PaymentView['action']}`;
}

const REPORT = ['the shopper opens the form for a report', 'the shopper sends the form'];
const SUBMITTED = [...REPORT, 'the shopper returns from the platform'];
const SENT = 'the shopper says that the money is sent';
const LOST = 'the Worker rejects the session';

/** At least one history for each view. */
const TABLE: {readonly [View in PaymentView['is']]: readonly [Row, ...Row[]]} = {
  'choose-bank': [{after: ['the shopper wants another bank'], says: '', shows: 'open · choose-bank'}],
  'no-code': [{after: ['the platform refuses the code'], says: '', shows: 'open · none'}],
  unread: [{after: [UNREAD], says: '', shows: 'open · copy-code'}],
  failed: [{after: [UNREAD, 'the answer with the payment is lost'], says: '', shows: 'open · copy-code'}],
  pay: [
    {
      after: [],
      says: 'Waiting for your transfer. This page updates automatically. You can close it without losing your code.',
      shows: 'open · copy-code',
    },
    {
      after: ['the browser stores nothing'],
      says: 'Waiting for your transfer. This page updates automatically.',
      shows: 'open · copy-code',
    },
    {after: ['the device goes offline'], says: 'Waiting for your transfer. ', shows: 'open · copy-code'},
  ],
  'at-platform': [
    {
      after: [],
      place: {in: 'button', via: 'bank-page'},
      says: 'Checking your ₺149.90 payment. If you’ve paid, it will show up here shortly; don’t pay again. If not, you can still pay.',
      shows: 'open · copy-code',
    },
  ],
  'unpaid-at-platform': [
    {
      after: [],
      place: {in: 'button', via: 'bank-page', isUnpaid: true},
      says: 'We don’t see your ₺149.90 payment yet. If you’ve paid, it will show up here shortly; don’t pay again. If not, you can still pay.',
      shows: 'open · copy-code',
    },
  ],
  'on-its-way': [
    {
      after: [SENT],
      says: 'Waiting for your transfer. This page updates automatically when your money arrives. Don’t send it again.',
      shows: 'closed · none',
    },
  ],
  'report-unfinished': [
    {
      after: REPORT,
      says: 'Your report hasn’t arrived yet. If you haven’t finished it, finish it now. Don’t send the money again.',
      shows: 'closed · send-report',
    },
  ],
  'report-checked': [
    {
      after: SUBMITTED,
      says: 'Checking your report. This can take a few seconds. Don’t send the money again.',
      shows: 'closed · none',
    },
    {
      after: ['a part of the money arrives', ...SUBMITTED],
      says: 'Checking your report. This can take a few seconds. Don’t send the money again.',
      shows: 'closed · none',
    },
  ],
  'report-submitted': [
    {
      after: [...SUBMITTED, 'the platform does not say whether it has the report', 'the deadline passes'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · ask-seller',
    },
    {
      after: [...SUBMITTED, 'the platform does not say whether it has the report'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
  ],
  'report-received': [
    {
      after: [...REPORT, 'the platform receives the report'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
    {
      after: [...REPORT, 'the platform receives the report', 'a part of the money arrives'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
    {
      after: [...REPORT, 'the platform receives the report', 'the deadline passes'],
      says: 'We’re looking for your payment. We’re using your report to find it. This page updates when we do. Don’t send the money again.',
      shows: 'closed · none',
    },
  ],
  partial: [
    {
      after: ['a part of the money arrives'],
      says: '₺100.00 received, ₺49.90 to go. Send the rest in one transfer with the same code.',
      shows: 'open · copy-code',
    },
    {
      after: [
        ...SUBMITTED,
        'the platform receives the report',
        'a part of the money arrives',
        'the platform finds the money of the report',
        'the shopper closes the form',
      ],
      says: '₺100.00 received, ₺49.90 to go. Send the rest in one transfer with the same code.',
      shows: 'open · copy-code',
    },
  ],
  'partial-at-platform': [
    {
      after: ['a part of the money arrives'],
      place: {in: 'button', via: 'payment-page'},
      says: '₺100.00 received, ₺49.90 to go. If you’ve also paid the rest, it will show up here shortly; don’t pay again. If not, you can still pay.',
      shows: 'open · copy-code',
    },
  ],
  'partial-over': [
    {
      after: ['a part of the money arrives', 'the deadline passes'],
      says: 'The time to pay is over. ₺100.00 received, ₺49.90 missing. Ask the seller before you send the rest.',
      shows: 'closed · ask-seller',
    },
    {
      after: ['the deadline passes', 'a part of the money arrives'],
      place: {in: 'button', via: 'bank-page'},
      says: 'The time to pay is over. ₺100.00 received, ₺49.90 missing. Ask the seller before you send the rest.',
      shows: 'closed · ask-seller',
    },
  ],
  unclear: [
    {
      after: ['the money does not count yet', 'all of the money arrives'],
      says: 'A payment has arrived. It counts towards your order once the seller approves it. Don’t send it again; contact the seller if you have a question.',
      shows: 'hidden · ask-seller',
    },
    {
      after: ['money in another currency arrives'],
      says: 'A payment has arrived. It counts towards your order once the seller approves it. Don’t send it again; contact the seller if you have a question.',
      shows: 'hidden · ask-seller',
    },
  ],
  paid: [
    {
      after: ['all of the money arrives'],
      says: 'Payment received. Thank you. There’s nothing else you need to do.',
      shows: 'hidden · none',
    },
  ],
  completed: [
    {
      after: ['all of the money arrives', 'the seller confirms the order'],
      says: 'Your order is confirmed. There’s nothing else you need to do.',
      shows: 'hidden · none',
    },
  ],
  late: [
    {
      after: ['the deadline passes', 'all of the money arrives'],
      says: 'Your payment arrived after the deadline. Your money has reached the seller, who will check your order. Don’t send it again.',
      shows: 'hidden · ask-seller',
    },
  ],
  overpaid: [
    {
      after: ['a part of the money arrives', 'a part of the money arrives'],
      says: 'You paid too much. Your order is paid. Contact the seller for a refund of the extra ₺50.10.',
      shows: 'hidden · ask-seller',
    },
  ],
  'paid-twice': [
    {
      after: ['all of the money arrives', 'all of the money arrives'],
      says: 'Your payment arrived twice. Your order is paid. Contact the seller for a refund of the second ₺149.90.',
      shows: 'hidden · ask-seller',
    },
  ],
  cancelled: [
    {
      after: ['the seller cancels the order'],
      says: 'Your order was cancelled. Don’t send the money. If you already have, contact the seller.',
      shows: 'hidden · ask-seller',
    },
    {
      after: ['the seller cancels the order', 'all of the money arrives'],
      says: 'Your order was cancelled. Don’t send the money. If you already have, contact the seller.',
      shows: 'hidden · ask-seller',
    },
  ],
  refunding: [
    {
      after: ['all of the money arrives', 'the seller sends all of the money back'],
      says: 'Your refund is on its way. The seller is sending ₺149.90 back. It can take a few working days to reach you.',
      shows: 'hidden · none',
    },
    {
      after: ['a part of the money arrives', 'the seller sends all of the money back'],
      says: 'Your refund is on its way. The seller is sending ₺100.00 back. It can take a few working days to reach you.',
      shows: 'hidden · none',
    },
  ],
  refunded: [
    {
      after: ['all of the money arrives', 'all of the money is refunded'],
      says: 'Your payment was refunded. The seller sent the money back. It can take a few working days to reach you.',
      shows: 'hidden · none',
    },
  ],
  expired: [
    {
      after: ['the deadline passes'],
      says: 'This payment has expired. If you’ve sent the money, it will reach the seller: don’t send it again. If not, start a new payment.',
      shows: 'closed · start-over',
    },
    {
      after: ['the shopper opens a hand-off link', 'the page catches up', 'the deadline passes'],
      says: 'This payment has expired. If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, continue on the device where you started.',
      shows: 'closed · start-over',
    },
  ],
  'expired-sent': [
    {
      after: ['a part of the money arrives', SENT, 'the deadline passes'],
      says: 'This payment has expired. Money you’ve sent will still reach the seller. Don’t send it again.',
      shows: 'closed · ask-seller',
    },
    {
      after: [SENT, 'the deadline passes'],
      says: 'This payment has expired. Money you’ve sent will still reach the seller. Don’t send it again.',
      shows: 'closed · ask-seller',
    },
    {
      after: [SENT, 'the deadline passes'],
      place: {in: 'code'},
      says: 'This payment has expired. Money you’ve sent will still reach the seller. Don’t send it again.',
      shows: 'closed · ask-seller',
    },
  ],
  lost: [
    {
      after: [LOST],
      says: 'You can no longer track this order here. If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, start a new payment.',
      shows: 'closed · start-over',
    },
  ],
  'lost-sent': [
    {
      after: [SENT, LOST],
      says: 'You can no longer track this order here. The money you’ve sent will reach the seller; don’t send it again. If you have a question, contact the seller.',
      shows: 'closed · ask-seller',
    },
  ],
  'lost-elsewhere': [
    {
      after: ['the shopper opens a hand-off link', 'the page catches up', LOST],
      says: 'You can no longer track this order here. If you’ve sent the money, it will reach the seller; don’t send it again. If you haven’t, continue on the device where you started.',
      shows: 'closed · ask-seller',
    },
  ],
  'lost-partial': [
    {
      after: ['a part of the money arrives', SENT, LOST],
      says: 'You can no longer track this order here. The seller has received ₺100.00. If you’ve sent the rest, don’t send it again; if not, ask the seller.',
      shows: 'closed · ask-seller',
    },
    {
      after: ['a part of the money arrives', LOST],
      says: 'You can no longer track this order here. The seller has received ₺100.00. If you’ve sent the rest, don’t send it again; if not, ask the seller.',
      shows: 'closed · ask-seller',
    },
  ],
};

describe('the view of a payment', () => {
  const rows = Object.entries(TABLE).flatMap(([is, each]) => each.map((row) => ({is, ...row})));
  test.each(rows)('is $is after: $after', ({is, after: steps, place, says, shows}) => {
    const {facts, now} = after([...toCode, ...steps]);
    const view = paymentView(facts, now, place);
    const {title, text} = wordsOf(view, t, 'en');
    expect({is: view.is, says: title && `${title}. ${text}`, shows: `${view.instructions} · ${view.action}`}).toEqual({
      is,
      says,
      shows,
    });
  });

  test('what the shopper has said in another tab or before a reload counts until more money arrives', () => {
    const {facts, now} = after([...toCode, 'a part of the money arrives', SENT]);
    const {instructions} = facts.own;
    const {paid, remaining} = valueOf(facts.order.payment) ?? {};
    const older = instructions && {...facts.own, instructions: {...instructions, sentAfter: '0.00'}};
    expect(paymentView({...facts, own: {...facts.own, ...older}}, now).isSent).toBe(false);
    const {is, part} = paymentView({...facts, order: {}}, now, {in: 'code'});
    expect({is, part}).toEqual({is: 'on-its-way', part: {paid, remaining}});
  });

  test('an order that was over before its code was saved is over after a reload', () => {
    const over = happen(() => ({arrivals: [AMOUNT], isForeign: true}));
    const world = both(over, catchUp)(after(toCode.slice(0, -1)));
    const reloaded = openSession({...world, facts: openPage(world.facts.own)});
    expect(paymentView(reloaded.facts, reloaded.now)).toMatchObject({isLoading: true, instructions: 'closed'});
  });

  test(`keeps every rule in ${HISTORIES} random histories`, {timeout: 600_000}, () => {
    const seen = new Set<string>();
    const [rare, usual] = [true, false].map((each) => Object.keys(STEPS).filter((step) => isRare(step) === each));
    const step = fc.oneof(
      {weight: 12, arbitrary: fc.constantFrom(...(usual ?? []))},
      {weight: 1, arbitrary: fc.constantFrom(...(rare ?? []))},
    );
    const history = fc.array(step, {minLength: 5, maxLength: 30});
    fc.assert(
      fc.property(history, (steps) => {
        let world = after(toCode);
        for (const name of steps) {
          world = STEPS[name]?.(world) ?? world;
          const broken = brokenRules(world);
          if (broken.length > 0) throw new Error(`After “${name}”: ${broken.join('; ')}.`);
          seen.add(paymentView(world.facts, world.now).is);
        }
      }),
      {numRuns: HISTORIES, seed: SEED},
    );
    console.info(`${HISTORIES} histories from the seed ${SEED} showed ${seen.size} views.`);
  });
});

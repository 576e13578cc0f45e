/**
 * The states of each element. Each has an address, `/preview?element=…&state=…`, and `npm run looks` walks the same list.
 * An element without a state is as for a new shopper. States of a payment have the names of their views
 * (`widgets/transfer/payment/payment-views.ts`).
 */

import type {Tag} from './elements.ts';
import type {StateName} from './state-names.ts';

export type State = '' | StateName;

/** What the shopper does as soon as it is there: presses something, or types into a field. */
export type Step = readonly [selector: string, typed?: string];

/**
 * What the preview answers in the place of the Worker: its answer with other fields, an answer of its own, a refusal with
 * a code of `docs/errors.md`, nothing for ever, or nothing at all because the connection is lost.
 */
export type Answer =
  | {readonly change: object}
  | {readonly instead: object}
  | {readonly refuse: string; readonly retryAfter?: number}
  | 'held'
  | 'lost';

/** By request, such as `GET /v1/payment`. */
export type Answers = Readonly<Record<string, Answer>>;

/** How the preview makes a state. */
export interface Recipe {
  readonly answers?: Answers;
  readonly steps?: readonly Step[];
  /** The answers after the steps. */
  readonly later?: Answers;
  /** Whether the order begins only in the page. By default, the merchant's server has made it, and it has its code. */
  readonly isNew?: true;
  /** The page of the platform from which the shopper returns, and the outcome. */
  readonly returned?: string;
  /** Whether a hand-off link has opened the page. */
  readonly isBrought?: true;
  readonly attributes?: Readonly<Record<string, string>>;
}

type Recipes = Readonly<Partial<Record<StateName, Recipe>>>;

const AT = '2026-11-21T15:42:00+03:00';
const AMOUNT = '149.90';
const money = (amount: string, id = '1') => ({id, amount, currency: 'TRY', bank: 'Ziraat Bankası', at: AT});
const notice = (sent: boolean | null) => ({notice: {at: AT, bank: 'ziraat', amount: AMOUNT, sent}});

const PART = {state: 'partial', paid: '100.00', remaining: '49.90', transactions: [money('100.00')]};
const PAID = {state: 'paid', paid: AMOUNT, remaining: '0.00', transactions: [money(AMOUNT)]};
const OVERPAID = {...PAID, state: 'overpaid'};

const BANK: Step = ['label.bank'];
const SEND: Step = ['[type=submit]'];
const MONEY_SENT: Step = ['.ways > button'];
/** The page has read the payment. */
const READ: Step = ['[part=status], [part=code]'];
/** The page saves what it has read of the payment with the code. */
const CODE: Step = ['[part=code]'];
const UNAVAILABLE: Answer = {refuse: 'temporarily_unavailable'};
const WAIT: Answer = {refuse: 'rate_limited', retryAfter: 30};
const ENDED: Answers = {'GET /v1/payment': {refuse: 'session_expired'}};

const pays = (change: object): Recipe => ({answers: {'GET /v1/payment': {change}}});
const asks = (...steps: readonly Step[]): Recipe => ({isNew: true, steps});

const MONEY = {
  pay: {},
  partial: pays(PART),
  'partial-over': pays({...PART, overdue: true}),
  unclear: pays({unclear: true, transactions: [money(AMOUNT)]}),
  'report-unfinished': pays(notice(false)),
  'report-checked': {...pays(notice(false)), returned: 'notice.done'},
  'report-submitted': {...pays(notice(null)), returned: 'notice.done'},
  'report-received': pays(notice(true)),
  paid: pays(PAID),
  completed: pays({...PAID, state: 'completed'}),
  late: pays({...PAID, late: true}),
  overpaid: pays({...OVERPAID, paid: '200.00', transactions: [money('150.00'), money('50.00', '2')]}),
  'paid-twice': pays({...OVERPAID, paid: '299.80', transactions: [money(AMOUNT), money(AMOUNT, '2')]}),
  refunding: pays({...PAID, refunding: AMOUNT}),
  refunded: pays({...PAID, state: 'refunded', paid: '0.00', refunded: AMOUNT, transactions: []}),
  cancelled: pays({state: 'cancelled'}),
  expired: pays({state: 'expired'}),
  'expired-sent': pays({state: 'expired', ...notice(null)}),
  unread: {answers: {'GET /v1/payment': 'held'}},
  failed: {answers: {'GET /v1/payment': {refuse: 'origin_not_allowed'}}},
} as const satisfies Recipes;

/** Alone, the element with the instructions asks for the code before the bank. */
const noCode = (...steps: readonly Step[]) =>
  ({
    'no-code': {...asks(...steps), answers: {'POST /v1/order-code': {refuse: 'platform_refused'}}},
    'no-buyer': asks(...steps),
  }) as const satisfies Recipes;

const afterBank = (recipe: Recipe, ...more: readonly Step[]): Recipe => ({
  ...recipe,
  steps: [BANK, ...(recipe.steps ?? []), ...more],
});
/** While the shopper sends money, an element with the instructions asks for the bank first. */
const CHOSEN = {
  pay: afterBank(MONEY.pay),
  partial: afterBank(MONEY.partial),
  'on-its-way': afterBank({}, MONEY_SENT),
  'qr-code': afterBank({}, ['button.phone']),
} as const satisfies Recipes;

const OPENED: Step = ['.question .button'];
const FAILURES = (request: string): Recipes => ({
  loading: {isNew: true, answers: {[request]: 'held'}},
  unavailable: {isNew: true, answers: {[request]: UNAVAILABLE}},
  'rate-limited': {isNew: true, answers: {[request]: WAIT}},
  unreachable: {isNew: true, answers: {[request]: 'lost'}},
});

/** The page names an offer that the Worker does not sell. */
const NOT_ON_SALE: Recipe = {isNew: true, answers: {'POST /v1/sessions': {refuse: 'unknown_offer'}}};
const NOTICE: readonly Step[] = [['#bank', '1'], ['#amount', '149,90'], SEND];

const PIN_REQUESTED = {
  'POST /v1/pins': {
    instead: {as_of: AT, expires_at: AT.replace('15:42', '15:52'), resend_at: AT.replace('15:42', '15:43')},
  },
} as const satisfies Answers;
const NUMBER: readonly Step[] = [['[name=operator]'], ['[name=number]', '0532 123 45 67'], ['[name=consent]'], SEND];
const PIN: readonly Step[] = [...NUMBER, ['#pin', '1234'], SEND];
const subscribes = (answer: Answer): Recipe => ({
  answers: {...PIN_REQUESTED, 'POST /v1/subscriptions': answer},
  steps: PIN,
});

const subscription = (state: string): Recipe => ({
  answers: {'GET /v1/subscription': {change: {subscription: {state}}}},
});

const ACCOUNT: readonly Step[] = [['#name', 'Deniz Örnek'], ['#iban', 'TR330006100519786457841326'], SEND];
const REFUND: readonly Step[] = [...ACCOUNT, ['.buttons .button']];
const refundIn = (state: string): Answer => ({
  instead: {
    state,
    amount: '50.10',
    currency: 'TRY',
    expires_at: AT.replace('2026', '2099'),
    seller: {name: 'Fener Atölyesi', support_phone: '0850 000 00 00'},
    title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
  },
});
/** The state of a link, or of a refund after the steps. */
const refund = (state: string, steps?: readonly Step[]): Recipe => ({
  answers: {
    'POST /v1/refund-links/preview': refundIn(steps ? 'open' : state),
    'POST /v1/refund-contacts': refundIn(state),
  },
  steps: steps ?? [],
});

const atPlatform = (outcome: 'done' | 'back', recipe: Recipe = {}): Recipe => ({
  ...recipe,
  returned: `bank-page.${outcome}`,
});

const STATES = {
  'vezne-checkout': {
    ...MONEY,
    ...noCode(BANK),
    ...CHOSEN,
    lost: afterBank({later: ENDED}, READ),
    'lost-partial': afterBank({...MONEY.partial, later: ENDED}, CODE, ['progress']),
    'lost-sent': afterBank({later: ENDED}, MONEY_SENT, READ),
    unread: afterBank(MONEY.unread),
    failed: afterBank(MONEY.failed),
    link: {isBrought: true},
    brought: {steps: [OPENED], isBrought: true},
    'lost-elsewhere': {steps: [OPENED, READ], isBrought: true, later: ENDED},
    ...FAILURES('POST /v1/sessions'),
    loading: {isNew: true, answers: {'POST /v1/sessions': 'held', 'GET /v1/banks': 'held'}},
    'not-on-sale': NOT_ON_SALE,
  },
  'vezne-bank-list': {
    chosen: asks(BANK),
    disabled: {isNew: true, attributes: {disabled: ''}},
    empty: {isNew: true, answers: {'GET /v1/banks': {change: {banks: []}}}},
    ...FAILURES('GET /v1/banks'),
  },
  'vezne-payment-code': {
    ...noCode(),
    ...CHOSEN,
    unclear: MONEY.unclear,
    paid: MONEY.paid,
    expired: MONEY.expired,
  },
  'vezne-payment-status': MONEY,
  'vezne-payment-notice': {
    form: {},
    invalid: {steps: [SEND]},
    loading: {answers: {'GET /v1/banks': 'held'}},
    unavailable: {answers: {'GET /v1/banks': UNAVAILABLE}},
    'rate-limited': {answers: {'POST /v1/payment-notices': WAIT}, steps: NOTICE},
  },
  'vezne-pay-button': {
    'no-buyer': asks(['button']),
    'phone-bill': {isNew: true, attributes: {via: 'payment-page'}},
    loading: {steps: [['button']], answers: {'POST /v1/hosted-payment': 'held'}},
    unavailable: {steps: [['button']], answers: {'POST /v1/hosted-payment': UNAVAILABLE}},
    'rate-limited': {steps: [['button']], answers: {'POST /v1/hosted-payment': WAIT}},
    'at-platform': atPlatform('done'),
    'unpaid-at-platform': atPlatform('back'),
    'partial-at-platform': atPlatform('done', MONEY.partial),
    unclear: atPlatform('done', MONEY.unclear),
    paid: atPlatform('done', MONEY.paid),
    overpaid: atPlatform('done', MONEY.overpaid),
    expired: atPlatform('back', MONEY.expired),
  },
  'vezne-pin-subscribe': {
    invalid: {steps: [SEND]},
    'pin-asked': {answers: PIN_REQUESTED, steps: NUMBER},
    'pin-wrong': subscribes({refuse: 'pin_wrong'}),
    subscribed: subscribes({instead: {state: 'subscribed'}}),
    'already-subscribed': subscribes({refuse: 'already_subscribed'}),
    'not-eligible': subscribes({refuse: 'not_eligible'}),
    'outcome-unknown': subscribes({refuse: 'outcome_unknown'}),
    ...FAILURES('POST /v1/sessions'),
    'not-on-sale': NOT_ON_SALE,
  },
  'vezne-one-click': {
    recognized: {},
    'another-number': {steps: [['.back button']]},
    loading: {answers: {'POST /v1/numbers': 'held'}},
    unavailable: {answers: {'POST /v1/numbers': UNAVAILABLE}},
  },
  'vezne-subscription': {
    active: subscription('active'),
    retry: subscription('retry'),
    suspend: subscription('suspend'),
    cancelled: subscription('cancelled'),
    rejected: subscription('rejected'),
    unknown: subscription('unknown'),
    'cancel-asked': {steps: [['#cancel']]},
    loading: {answers: {'GET /v1/subscription': 'held'}},
    unavailable: {answers: {'GET /v1/subscription': UNAVAILABLE}},
  },
  'vezne-refund-contact': {
    invalid: refund('open', [SEND]),
    summary: refund('open', ACCOUNT),
    sent: refund('sent', REFUND),
    checking: refund('checking', REFUND),
    refused: refund('refused', REFUND),
    used: refund('used'),
    'link-expired': refund('expired'),
    withdrawn: refund('withdrawn'),
    'money-gone': refund('unavailable'),
    loading: {answers: {'POST /v1/refund-links/preview': 'held'}},
    unavailable: {answers: {'POST /v1/refund-links/preview': UNAVAILABLE}},
  },
  'vezne-vendor-form': {
    loading: {answers: {'POST /v1/vendor-forms': 'held'}},
    unavailable: {answers: {'POST /v1/vendor-forms': UNAVAILABLE}},
  },
  'vezne-activity': {},
} as const satisfies Readonly<Record<Tag, Recipes>>;

export const statesOf = (tag: Tag): readonly StateName[] => Object.keys(STATES[tag]) as StateName[];

/** How a state is made; undefined for a new shopper. */
export const recipeOf = (tag: Tag, state: State): Recipe | undefined =>
  state === '' ? undefined : (STATES[tag] as Recipes)[state];

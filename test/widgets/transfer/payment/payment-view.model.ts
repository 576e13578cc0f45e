/**
 * What a shopper sees after anything that can happen: the table of views, and random histories of one order. After each
 * step of a history, all views of the page must agree with each other and with what the page knows.
 */

import {describe, expect, test} from 'vitest';
import {valueOf} from '../../../../widgets/core/query.ts';
import {texts as t} from '../../../../widgets/locales/payment/payment-en.ts';
import {cardOf} from '../../../../widgets/transfer/payment-status/outcome-cards.ts';
import {isFinal} from '../../../../widgets/transfer/payment/payment-events.ts';
import {paymentView, type PaymentView, type Place} from '../../../../widgets/transfer/payment/payment-view.ts';
import {wordsOf} from '../../../../widgets/transfer/payment/payment-words.ts';
import {savedOrder} from '../../../../widgets/transfer/purchase/facts.ts';
import {FEW_BANKS} from '../../stub-worker/answers.ts';
import {testHistories} from '../../support/histories.ts';
import {
  after,
  AMOUNT,
  both,
  catchUp,
  happen,
  openPage,
  openSession,
  STEPS,
  toCode,
  type World,
} from './order-history.ts';
import {SENT, VIEWS} from './payment-views.ts';

const PLACES: readonly Place[] = [
  {in: 'checkout'},
  {in: 'checkout', banks: FEW_BANKS},
  {in: 'code'},
  {in: 'status'},
  {in: 'button', via: 'payment-page'},
  {in: 'button', via: 'bank-page', isUnpaid: true},
];

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
  'ends on a hand-off device without a way back to the own order': ({is, step, isEnded, leavesTo}) =>
    step !== 'bank' && isEnded && leavesTo === 'own-order' && !cardOf(is).again,
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
describe('the view of a payment', () => {
  const rows = Object.entries(VIEWS).flatMap(([is, [, ...histories]]) => histories.map((row) => ({is, ...row})));
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

  test.each(['unread', 'pay', 'partial', 'on-its-way', 'report-received'] as const)(
    'the card of the view %s, which does not end a payment, has neither a sign of failure nor a button',
    (is) => {
      const {tone, again} = cardOf(is);
      expect({tone, again}).toEqual({tone: 'over', again: undefined});
    },
  );

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

  test.each([
    {money: ['a part of the money arrives'], step: 'pay'},
    {money: ['the deadline passes', 'all of the money arrives'], step: 'pay'},
    {money: ['all of the money arrives'], step: 'done'},
  ])(
    'a checkout is at the step $step after $money, and at its end as soon as all of it is sent back',
    ({money, step}) => {
      const world = after([...toCode, ...money]);
      expect(paymentView(world.facts, world.now).step).toBe(step);
      const {facts, now} = after([...toCode, ...money, 'the seller sends all of the money back']);
      expect(paymentView(facts, now)).toMatchObject({is: 'refunding', step: 'done'});
    },
  );

  test.each([
    ['gold', 'start-over'],
    ['an-offer-with-a-name-of-more-than-30', 'start-over'],
    ['rug-4711.Zk3v0pW8bT1yQm6XWK-a06ULY5cWZB', 'ask-seller'],
    // A bill of an earlier build.
    ['rug-4711.Zk3v0pW8bT1yQm6XWK-a06ULY5cWZBabc-_9', 'ask-seller'],
  ])('of the offer %s, which expired, leads to %s', (offer, action) => {
    const {facts, now} = after([...toCode, 'the deadline passes']);
    expect(paymentView({...facts, key: {...facts.key, offer}}, now)).toMatchObject({is: 'expired', action});
  });

  testHistories<World>({
    steps: STEPS,
    isRare,
    beginnings: {'an order with a code': () => after(toCode)},
    maxSteps: 30,
    brokenRules,
    shown: ({facts, now}) => [paymentView(facts, now).is],
  });
});

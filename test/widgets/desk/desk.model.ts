/** Tests what the desk decides without a browser: questions, addresses, strangers' texts, and sentences for customers. */

import type {ReactiveControllerHost} from 'lit';
import {expect, test, vi} from 'vitest';
import {DeskProblem, type Order, type Payment} from '../../../desk/client.ts';
import {customerSentence} from '../../../desk/customer-sentence.ts';
import {hoursOf} from '../../../desk/day-data.ts';
import {dayOf, formatSpan, shiftDay, sumOf} from '../../../desk/format.ts';
import {listOfOrder} from '../../../desk/list-of-order.ts';
import {advice} from '../../../desk/locales/advice.ts';
import {explainDelivery, nameOf, stateName} from '../../../desk/locales/names.ts';
import {explainProblem} from '../../../desk/locales/problems.ts';
import {WORK_LISTS} from '../../../desk/locales/work.ts';
import {Polled} from '../../../desk/polled.ts';
import {hrefOf, readRoute, type Route} from '../../../desk/route.ts';
import {type Found, questionsFor, withoutRepeats} from '../../../desk/search-questions.ts';
import {cleanText, maskNumbers} from '../../../desk/stranger-text.ts';
import {PAYMENT_STATES} from '../../../worker/contract/fields.ts';

const kindsOf = (text: string) => questionsFor(text).map(({as}) => as);

test('a typed text is asked for as everything that it may be', () => {
  expect(kindsOf(' 8812 0045 0017 ')).toEqual(['code', 'id']);
  expect(kindsOf('S-1009')).toEqual(['code', 'order', 'id']);
  expect(kindsOf('149,90')).toEqual(['order', 'amount']);
  expect(kindsOf('1.149,90 TL')).toEqual(['amount']);
  expect(kindsOf('Yıldız İpe')).toEqual(['name']);
  expect(kindsOf('yildiz')).toEqual(['code', 'order', 'id', 'name']);
  expect(kindsOf('   ')).toEqual([]);
});

test('an order that several questions found is listed once, and money without an order always', () => {
  const row = {
    service: 'DEMO',
    as: 'id',
    order: null,
    at: null,
    amount: '1.00',
    state: null,
    sender: null,
    code: null,
  } as Found;
  const found = [
    {...row, order: 'S-1', as: 'code'},
    {...row, order: 'S-1'},
    {...row, order: 'S-1', service: 'OTHER'},
    row,
    {...row, transaction: '7002'},
  ] as Found[];
  expect(withoutRepeats(found)).toEqual([found[0], found[2], found[3], found[4]]);
});

test('every view has an address that leads back to it, no address is the search, and any other is unknown', () => {
  const routes: Route[] = [
    {view: 'search'},
    {view: 'payment', service: 'DEMO', order: 'a/b #ç%', language: ''},
    {view: 'payment', service: 'DEMO', order: 'S-1', language: 'en'},
    {view: 'day', service: 'DEMO', day: '2026-11-30'},
    {view: 'day', service: '', day: ''},
    {view: 'work', service: 'DEMO', kind: 'late', page: ''},
    {view: 'work', service: 'DEMO', kind: 'late', page: 'r3-V_o.a0-_Z'},
    {view: 'health'},
    {view: 'unknown'},
  ];
  for (const route of routes) expect(readRoute(hrefOf(route))).toEqual(route);
  for (const hash of ['', '#']) expect(readRoute(hash), hash).toEqual({view: 'search'});
  for (const hash of [
    '#other',
    '#payment',
    '#payment/DEMO',
    '#payment/DEMO/S-1/de',
    '#payment/DEMO/S-1/tr/more',
    '#search/x',
    '#//',
    '#health/x',
    '#day/DEMO/2026-11-30/x',
    '#payment/%E0%A4%A/x',
    '#work/DEMO/lately',
    '#work/DEMO/late/<b>',
    '#day/DEMO/<script>',
    ...['2026-13-45', '2026-02-31', '0001-01-01', '2026-2-3'].map((day) => `#day/DEMO/${day}`),
  ])
    expect(readRoute(hash), hash).toEqual({view: 'unknown'});
  expect(readRoute('#day/DEMO/2028-02-29')).toEqual({view: 'day', service: 'DEMO', day: '2028-02-29'});
});

test('what strangers write loses direction marks and controls, and is cut', () => {
  expect(cleanText('Deniz\u{202e}\u{2066} \u{0}Örnek\n\u{200f}')).toBe('Deniz Örnek');
  expect(cleanText('<script>alert(1)</script>')).toBe('<script>alert(1)</script>');
  expect(cleanText('x'.repeat(10_000))).toBe(`${'x'.repeat(200)}…`);
  expect(cleanText('👩‍🚀'.repeat(1_000)).length).toBeLessThan(500);
});

test('IBANs and long numbers are masked, and nothing else', () => {
  expect(maskNumbers('TR33 0006 1005 1978 6457 8413 26')).toBe('TR33••••26');
  expect(maskNumbers('Ara: +90 532 123 45 67, 12345678901')).toBe('Ara: +905••••67, 1234••••01');
  expect(maskNumbers('S-1009, 149,90, 2026')).toBe('S-1009, 149,90, 2026');
});

test('the hours of a day have all its money, also without an order, and their sum is that of the day', async () => {
  const header = 'day,number,at,type,description,currency,balance';
  const rows = [
    ['09:05:00', 'order.placed', '', '', '0.00'],
    ['09:06:00', 'money.arrived', '"a ""b"", c\nd"', 'TRY', '149.90'],
    ['14:00:00', 'money.unmatched', '', 'TRY', '100.00'],
    ['14:30:00', 'money.matched', '', 'TRY', '-100.00'],
    ['14:30:00', 'money.arrived', '', 'TRY', '100.00'],
    ['15:00:00', 'money.arrived', '', 'USD', '5.00'],
    ['16:00:00', 'refund.settled', '', 'TRY', '-100.00'],
  ].map(([time, ...cells], index) => ['2026-11-30', index, `2026-11-30 ${time}`, ...cells].join(','));
  const {amounts, counts} = await hoursOf([header, ...rows, ''].join('\r\n'));
  expect([amounts[9], amounts[14], amounts.reduce((sum, each) => sum + each)]).toEqual([149.9, 100, 249.9]);
  expect([counts[9], counts[14], counts[15]]).toEqual([1, 1, 0]);
  expect((await hoursOf(`${header}\r\n`)).amounts).toEqual(Array.from({length: 24}, () => 0));
});

test('a total is exact', () => {
  expect(sumOf(['0.10', '0.20', '-149.90', '1000000000.07'])).toBe('999999850.47');
  expect(sumOf([])).toBe('0.00');
});

test('days are days in Turkey, and a span has one unit', () => {
  expect(dayOf(new Date('2026-11-30T20:59:59Z'))).toBe('2026-11-30');
  expect(dayOf(new Date('2026-11-30T21:00:00Z'))).toBe('2026-12-01');
  expect(shiftDay('2026-03-01', -1)).toBe('2026-02-28');
  expect([formatSpan(59_000, 'tr'), formatSpan(7_200_000, 'en'), formatSpan(259_200_000, 'tr')]).toEqual([
    '0 dakika',
    '2 hours',
    '3 gün',
  ]);
});

const payment = {
  amount: '149.90',
  paid: '100.00',
  remaining: '49.90',
  refunded: '0.00',
  refundable: {amount: '0.00', reason: null, left: '0.00'},
  pay_until: '2026-12-03T13:11:00+03:00',
};
const order = {order: 'S-1009', order_code: '881200450017', refunds: []} as unknown as Order;

test('the sentence for the customer says the order, what arrived and what to do, in both languages', () => {
  const inTime = Date.parse(payment.pay_until) - 1;
  const sentence = (more: object, locale: 'tr' | 'en', now = inTime) =>
    customerSentence(order, {...payment, ...more} as Payment, locale, now);
  expect(sentence({state: 'partial'}, 'tr')).toBe(
    'S-1009 numaralı siparişiniz için ₺100,00 geldi, ₺49,90 eksik. Eksiği aynı kodla (881200450017) 3 Ara 2026 13:11 tarihine kadar gönderebilirsiniz.',
  );
  expect(sentence({state: 'overpaid', refundable: {...payment.refundable, amount: '50.10'}}, 'en')).toBe(
    'We received ₺100.00 for order S-1009, and ₺50.10 will be sent back to you.',
  );
  expect(
    sentence({state: 'paid', paid: '149.90', late: true, refundable: {...payment.refundable, amount: '149.90'}}, 'en'),
  ).toBe(
    'Your payment of ₺149.90 for order S-1009 came after the time to pay. We will tell you whether we complete the order or send the money back.',
  );
  // A part that came late, too, has no decision yet.
  expect(
    sentence({state: 'partial', late: true, refundable: {amount: '50.00', reason: 'late', left: '50.00'}}, 'en'),
  ).toMatch(/We will tell you whether we complete the order or send the money back\.$/);
  expect(sentence({state: 'paid', paid: '45.00', refunded: '10.01'}, 'tr')).toBe(
    'S-1009 numaralı siparişinizin ödemesini aldık: ₺55,01. Teşekkür ederiz. ₺10,01 hesabınıza geri gönderildi.',
  );
  expect(sentence({state: 'partial'}, 'en', inTime + 1)).toBe(
    'We received ₺100.00 for order S-1009, and ₺49.90 is missing. The time to pay ended at 3 Dec 2026, 13:11. We will tell you what happens next.',
  );
  const refunds = [
    {state: 'waiting', amount: '99.90'},
    {state: 'failed', amount: '20.00'},
  ] as Order['refunds'];
  expect(customerSentence({...order, refunds}, {...payment, state: 'paid', late: true} as Payment, 'en', inTime)).toBe(
    'We received ₺100.00 for order S-1009, and ₺99.90 is on its way back to your account. It can take a few working days.',
  );
  for (const state of PAYMENT_STATES)
    for (const locale of ['tr', 'en'] as const) expect(sentence({state}, locale), state).toMatch(/S-1009.*\.$/);
});

const toGiveBack = (reason: string) => ({refundable: {amount: '50.10', reason, left: '50.10'}});

const listOf = (more: object, refunds: readonly string[] = []) =>
  listOfOrder(
    {payment: {...payment, ...more} as Payment, refunds: refunds.map((state) => ({state})) as Order['refunds']},
    Date.parse('2026-12-03T13:11:00+03:00'),
  );

test('the page of an order says what people can do about late money, an excess, and money that does not come', () => {
  expect(listOf({state: 'overpaid', ...toGiveBack('overpaid')})).toBe('overpaid');
  expect(listOf({state: 'paid', late: true, ...toGiveBack('late')})).toBe('late');
  expect(listOf({state: 'cancelled', ...toGiveBack('cancelled')})).toBe('cancelled');
  expect(listOf({state: 'partial'})).toBe('partial');
  expect(listOf({state: 'partial', pay_until: '2026-12-03T13:11:01+03:00'})).toBe('waiting');
  expect(listOf({state: 'expired'})).toBe('expired');
  const owed = {refundable: {amount: '0.00', reason: null, left: '149.90'}};
  for (const state of ['failed', 'cancelled']) expect(listOf({state: 'paid', ...owed}, [state])).toBe('refund_failed');
  // The outcome of another refund is not known.
  expect(listOf({state: 'paid'}, ['failed'])).toBe(null);
  expect(listOf({state: 'refunded'}, ['failed', 'successful'])).toBe(null);
  expect(listOf({state: 'paid'})).toBe(null);
  expect(listOfOrder({payment: null, refunds: []}, 0)).toBe(null);
  for (const texts of Object.values(advice))
    for (const kind of WORK_LISTS) expect(texts[kind], kind).toMatch(/^\p{Lu}.*\.$/u);
});

test('a name of the Worker is words in both languages, and a status that only the platform has is itself', () => {
  expect(
    ['awaiting_approval', 'money.arrived', 'of_my_platform', 'constructor'].map((name) => stateName(name, 'tr')),
  ).toEqual(['onay bekliyor', 'para geldi', 'of_my_platform', 'constructor']);
  expect(nameOf(['quota'], 'refund_charge', 'en')).toBe('Refunds of phone bill payments');
  expect(explainDelivery({last_status: 503, last_fault: null}, 'tr')).toBe('HTTP 503');
  expect(explainDelivery({last_status: null, last_fault: 'timeout'}, 'tr')).toBe('yanıt gelmedi');
});

test('every problem is a sentence, also one that this page does not know', () => {
  for (const code of ['unauthorized', 'all_services_required', 'invented', 'constructor'])
    expect(explainProblem(code, 'en')).toMatch(/^[A-Z].*\.$/);
});

test('an older answer stays beside the problem of the newer one, and a new key drops both', async () => {
  vi.useFakeTimers();
  vi.stubGlobal('document', Object.assign(new EventTarget(), {hidden: false, querySelector: () => null}));
  vi.stubGlobal('addEventListener', () => {});
  const host = {addController() {}, requestUpdate() {}} as unknown as ReactiveControllerHost;
  let reads = 0;
  let problem: DeskProblem | null = null;
  const polled = new Polled(
    host,
    async (_signal, say) => {
      reads += 1;
      const page = reads;
      say(() => `page ${page}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (problem) throw problem;
      return reads;
    },
    {everyMs: 15_000},
  );
  polled.hostConnected();
  polled.show('order');
  expect([polled.isLoading, polled.progress(), polled.value]).toEqual([true, 'page 1', undefined]);
  await vi.advanceTimersByTimeAsync(31_000);
  expect([reads, polled.isLoading, polled.progress(), polled.value]).toEqual([3, false, '', 3]);
  problem = new DeskProblem('all_services_required');
  await vi.advanceTimersByTimeAsync(600_000);
  expect([reads, polled.value, polled.problem?.code]).toEqual([4, 3, 'all_services_required']);
  problem = null;
  polled.show('another');
  expect([polled.value, polled.problem]).toEqual([undefined, undefined]);
  await vi.advanceTimersByTimeAsync(20);
  expect(polled.value).toBe(5);
  polled.hostDisconnected();
  await vi.advanceTimersByTimeAsync(600_000);
  expect(reads).toBe(5);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

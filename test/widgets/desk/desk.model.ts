/** Tests what the desk decides without a browser: questions, addresses, strangers' texts, and sentences for customers. */

import type {ReactiveControllerHost} from 'lit';
import {expect, test, vi} from 'vitest';
import {DeskProblem, type Order, type Payment} from '../../../desk/client.ts';
import {CsvRows} from '../../../desk/csv-rows.ts';
import {customerSentence} from '../../../desk/customer-sentence.ts';
import {dayOf, formatSpan, shiftDay} from '../../../desk/format.ts';
import {explainProblem} from '../../../desk/locales/frame.ts';
import {Polled} from '../../../desk/polled.ts';
import {hrefOf, readRoute, type Route} from '../../../desk/route.ts';
import {type Found, questionsFor, withoutRepeats} from '../../../desk/search-questions.ts';
import {cleanText, maskNumbers} from '../../../desk/stranger-text.ts';

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
    {...row, amount: '2.00'},
  ] as Found[];
  expect(withoutRepeats(found)).toEqual([found[0], found[2], found[3], found[4]]);
});

test('every view has an address that leads back to it, and any other address is the search', () => {
  const routes: Route[] = [
    {view: 'search'},
    {view: 'payment', service: 'DEMO', order: 'a/b #ç%'},
    {view: 'day', service: 'DEMO', day: '2026-11-30'},
    {view: 'day', service: '', day: ''},
    {view: 'work', service: 'DEMO', kind: 'late'},
    {view: 'health'},
  ];
  for (const route of routes) expect(readRoute(hrefOf(route))).toEqual(route);
  for (const hash of ['', '#', '#other', '#payment', '#payment/DEMO', '#payment/%E0%A4%A/x'])
    expect(readRoute(hash), hash).toEqual({view: 'search'});
  expect(readRoute('#day/DEMO/<script>')).toEqual({view: 'day', service: 'DEMO', day: ''});
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

test('a file is read in any pieces, with commas, quotation marks and line breaks in its cells', () => {
  const file = new TextEncoder().encode(
    '\u{feff}at,sender\r\n2026-11-30T10:00,"İpek, ""Ay""\nGün"\r\n2026-11-30T11:00,\r\n',
  );
  for (const length of [1, 2, 7, 1_000]) {
    const rows: object[] = [];
    const csv = new CsvRows((row) => rows.push(row));
    for (let start = 0; start < file.length; start += length) csv.add(file.slice(start, start + length));
    csv.end();
    expect(rows, String(length)).toEqual([
      {at: '2026-11-30T10:00', sender: 'İpek, "Ay"\nGün'},
      {at: '2026-11-30T11:00', sender: ''},
    ]);
  }
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
const order = {order: 'S-1009', order_code: '881200450017'} as Order;

test('the sentence for the customer says the order, what arrived and what to do, in both languages', () => {
  const sentence = (more: object, locale: 'tr' | 'en') =>
    customerSentence(order, {...payment, ...more} as Payment, locale);
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
  for (const state of [
    'waiting',
    'pending',
    'partial',
    'paid',
    'overpaid',
    'completed',
    'refunded',
    'expired',
    'cancelled',
  ])
    for (const locale of ['tr', 'en'] as const) expect(sentence({state}, locale), state).toMatch(/S-1009.*\.$/);
});

test('every problem is a sentence, also one that this page does not know', () => {
  for (const code of ['unauthorized', 'all_services_required', 'invented', 'constructor'])
    expect(explainProblem(code, 'en')).toMatch(/^[A-Z].*\.$/);
});

test('a view is read again while somebody looks, not while the page is hidden, and not after a refusal', async () => {
  vi.useFakeTimers();
  const listeners = new Set<() => void>();
  const page = {
    hidden: false,
    querySelector: () => null,
    addEventListener: (_type: string, listener: () => void) => listeners.add(listener),
    removeEventListener: (_type: string, listener: () => void) => listeners.delete(listener),
  };
  vi.stubGlobal('document', page);
  const host = {addController() {}, requestUpdate() {}} as unknown as ReactiveControllerHost;
  let reads = 0;
  let problem: DeskProblem | null = null;
  const load = async () => {
    reads += 1;
    if (problem) throw problem;
    return reads;
  };
  const polled = new Polled(host, load, {everyMs: 15_000});
  polled.hostConnected();
  polled.show('order');
  await vi.advanceTimersByTimeAsync(31_000);
  expect([reads, polled.value]).toEqual([3, 3]);
  const turn = (hidden: boolean) => {
    page.hidden = hidden;
    for (const listener of listeners) listener();
  };
  turn(true);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(reads).toBe(3);
  turn(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(reads).toBe(4);
  problem = new DeskProblem('unauthorized');
  await vi.advanceTimersByTimeAsync(600_000);
  expect([reads, polled.value, polled.problem?.code]).toEqual([5, 4, 'unauthorized']);
  polled.hostDisconnected();
  expect(listeners.size).toBe(0);
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

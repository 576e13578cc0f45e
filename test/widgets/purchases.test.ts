/** What a merchant's page learns of purchases, with the snippets of docs/measure.md. */

import {expect} from '@open-wc/testing/pure';
import type {PaidPurchase} from '../../widgets/core/purchases.ts';
import type {Payment} from '../../worker/contract/browser/answers.ts';
import {PAYMENTS} from './stub-worker/answers.ts';
import {inside, openPage, reload} from './support/frame.ts';
import {find, text, until, untilText} from './support/page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

const CHECKOUT = '<vezne-checkout offer="gold" lang="en"></vezne-checkout>';
/** Records what a tag would send. */
const RECORDER = `<script>
  window.calls = [];
  for (const name of ['gtag', 'fbq']) window[name] = (...call) => calls.push([name, ...call]);
  document.addEventListener('vezne-purchase', ({purchase}) => calls.push(['event', purchase.order]));
</script>`;
/** Keeps the shopper on the page until the test leads on. */
const SLOW = `<script>
  const real = setTimeout;
  window.setTimeout = (task, ms, ...others) => ms === 5_000 ? void (window.leave = task) : real(task, ms, ...others);
</script>`;
const BANNER = `<script>
  window.vezne ??= {consent() { this.consented = true; }, withdrawConsent() { this.consented = false; }};
</script>`;

type Page = Window & {
  readonly calls: unknown[];
  readonly notes: string[];
  readonly vezne: NonNullable<Window['vezne']>;
};

/** The first snippet of a section of docs/measure.md. */
async function snippetOf(section: string): Promise<string> {
  const page = await (await fetch('/docs/measure.md')).text();
  const found = page.split('\n## ').find((each) => each.startsWith(section));
  return /```html\n([^]*?)```/.exec(found ?? '')?.[1] ?? '';
}

async function openAgain(frame: HTMLIFrameElement): Promise<HTMLElement> {
  await reload(frame);
  return inside(frame, 'vezne-checkout');
}

/** Holds a lock of all tabs. @returns Releases it. */
const holdLock = (name: string) =>
  new Promise<() => void>((held) => {
    void navigator.locks.request(name, () => new Promise<void>((release) => held(release)));
  });

const checkout = (worker: TestWorker) =>
  `<script type="module" src="${worker.address}/checkout.js?offer=gold"></script>`;

/** Opens a page with tags, and pays its order. */
async function pay(
  worker: TestWorker,
  head: string,
  payment: Payment = PAYMENTS.paid,
  {body = '', ...address}: Readonly<Record<string, string>> = {},
) {
  const frame = await openPage({head: RECORDER + head + checkout(worker), body: body + CHECKOUT, ...address});
  const element = await inside(frame, 'vezne-checkout');
  await chooseBank(element, 'Toros');
  await untilText(element, 'Waiting for your transfer');
  await worker.send(payment);
  await untilText(element, 'Payment received');
  return {frame, element, page: frame.contentWindow as unknown as Page};
}

const purchaseOf = (payment: Payment): PaidPurchase => ({
  kind: 'payment',
  order: payment.order,
  order_code: payment.order_code,
  amount: '149.90',
  currency: 'TRY',
  offer: 'gold',
  campaign: {},
});

beforeEach(() => localStorage.clear());

describe('a purchase', () => {
  it('is sent to Google and Meta once, with the order as its id, when the shopper has consented', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const tags = (await snippetOf('Google Analytics 4')) + (await snippetOf('Meta Pixel'));
    const {frame, page} = await pay(worker, BANNER + tags);
    await until('the event', () => page.calls.length === 1);
    page.vezne.consent?.();
    await until('all calls', () => page.calls.length === 3);
    const {order} = PAYMENTS.paid;
    expect(page.calls).to.deep.equal([
      ['event', order],
      [
        'gtag',
        'event',
        'purchase',
        {
          transaction_id: order,
          value: 149.9,
          currency: 'TRY',
          items: [{item_id: 'gold', item_name: 'gold', price: 149.9, quantity: 1}],
        },
      ],
      ['fbq', 'track', 'Purchase', {value: 149.9, currency: 'TRY'}, {eventID: order}],
    ]);
    const element = await openAgain(frame);
    await untilText(element, 'Payment received');
    const again = frame.contentWindow as unknown as Page;
    again.vezne.consent?.();
    // A listener of its own name gets the order all the same, after those before it.
    const late: unknown[] = [];
    again.vezne.onPurchase?.((purchase) => late.push(purchase), {name: 'late'});
    await until('the late listener', () => late.length === 1);
    expect(late).to.deep.equal([purchaseOf(PAYMENTS.paid)]);
    expect(again.calls).to.deep.equal([]);
  });

  it('is told to each listener once, also to those without a name', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const listeners = `<script>
      const told = (name) => (purchase) => calls.push([name, purchase.order]);
      window.vezne = {purchases: [[told('first')], [told('named'), {name: 'named'}], [told('second')]]};
    </script>`;
    const {frame, page} = await pay(worker, listeners);
    const {order} = PAYMENTS.paid;
    await until('all calls', () => page.calls.length === 4);
    expect(page.calls).to.deep.equal(['event', 'first', 'named', 'second'].map((name) => [name, order]));
    const element = await openAgain(frame);
    await untilText(element, 'Payment received');
    const again = frame.contentWindow as unknown as Page;
    const late: unknown[] = [];
    again.vezne.onPurchase?.((purchase) => late.push(purchase.order));
    await until('the late listener', () => late.length === 1);
    expect(again.calls).to.deep.equal([]);
  });

  for (const [what, body, isTold] of [
    ['a page without consent and tracker', '', false],
    ['a page whose tracker asks for no consent', '<vezne-activity offer="gold"></vezne-activity>', true],
  ] as const) {
    it(`of ${what} is ${isTold ? '' : 'not '}told to a listener that waits for consent, as the ids of the visit are`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      const waiting = `<script>
        window.notes = [];
        console.info = (note) => notes.push(note);
        window.vezne = {purchases: [[() => calls.push('waiting'), {name: 'ga4', consent: true}], [() => calls.push('last')]]};
      </script>`;
      const {page} = await pay(worker, waiting, PAYMENTS.paid, {body, gclid: 'g1'});
      await until('the last listener', () => page.calls.includes('last'));
      expect(page.calls.includes('waiting')).to.equal(isTold);
      const [code] = await worker.calls('order');
      expect(!!(code?.body as {page?: {click_ids?: object}} | undefined)?.page?.click_ids).to.equal(isTold);
      expect(page.notes.join()).to.equal(
        isTold ? '' : 'Vezne: the onPurchase listener "ga4" waits for the shopper’s consent: vezne.consent().',
      );
    });
  }

  it('comes again with the next page view after a listener has failed', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const failing = `<script>
      window.vezne = {purchases: [[() => { calls.push('failed'); throw new Error('of the page'); }]]};
      addEventListener('error', (event) => event.preventDefault());
    </script>`;
    const {frame, page} = await pay(worker, failing);
    await until('the call', () => page.calls.length === 2);
    await reload(frame);
    const again = frame.contentWindow as unknown as Page;
    await until('the call', () => again.calls?.length === 1);
    expect(again.calls).to.deep.equal(['failed']);
  });

  it('leads the shopper once to the merchant’s page, who may stay, and order again', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const url = `${location.origin}/page?body=thanks`;
    const purchase = {after_payment: url, thanks: {tr: 'Sağ olun!', en: 'You are great!'}};
    const {frame, element} = await pay(worker, SLOW, {...PAYMENTS.paid, purchase});
    await untilText(element, 'You’ll go to the seller’s page in 5 seconds.');
    expect(text(element)).to.include('You are great!').and.to.include('Place another order');
    expect(find<HTMLAnchorElement>(element, 'a.button')?.href).to.equal(url);
    // Another tab tells a slow listener of its purchase.
    const release = await holdLock('vezne purchases');
    await press(element, 'Stay on this page');
    await until('no announcement', () => !text(element).includes('5 seconds'));
    const reloaded = await openAgain(frame);
    release();
    await untilText(reloaded, 'Go to the seller’s page');
    expect(text(reloaded)).not.to.include('5 seconds');
    await press(reloaded, 'Place another order');
    await untilText(reloaded, 'Toros Bank');
  });

  it('leads the shopper on after a reload in the time to read, and after a move of the element', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const url = `${location.origin}/page?body=${encodeURIComponent('<h1>thanks</h1>')}`;
    const {frame, element} = await pay(worker, SLOW, {...PAYMENTS.paid, purchase: {after_payment: url}});
    await untilText(element, 'in 5 seconds');
    const reloaded = await openAgain(frame);
    await untilText(reloaded, 'in 5 seconds');
    const page = frame.contentWindow as unknown as {leave?: (() => void) | undefined};
    page.leave = undefined;
    const box = reloaded.ownerDocument.createElement('section');
    reloaded.before(box);
    box.append(reloaded);
    const leave = await until('the timer', () => page.leave);
    expect(text(reloaded)).to.include('in 5 seconds');
    leave();
    await inside(frame, 'h1');
  });

  it('leads the shopper on without a press', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const url = `${location.origin}/page?body=${encodeURIComponent('<h1>thanks</h1>')}`;
    const payment = {...PAYMENTS.paid, purchase: {after_payment: url}};
    const {frame} = await pay(worker, SLOW, payment);
    const leave = await until('the timer', () => (frame.contentWindow as unknown as {leave?: () => void}).leave);
    leave();
    await inside(frame, 'h1');
  });

  it('has the campaign of the page’s address, and ids of the visit only with the shopper’s consent', async () => {
    const address = {utm_campaign: 'bayram', utm_id: '7', gclid: 'g1', client_reference_id: 'c-1', other: 'x'};
    const told = {reference: 'red', metadata: {size: 'L'}, utm: {campaign: 'bayram'}};
    const ids = {click_ids: {gclid: 'g1'}, client_reference_id: 'c-1'};
    const element = CHECKOUT.replace('lang', `reference="red" metadata='{"size":"L"}' lang`);
    const tracker = '<vezne-activity offer="gold"></vezne-activity>';
    for (const [body, expected] of [
      [element, told],
      [element + tracker.replace('offer', 'consent="required" offer'), told],
      [element + tracker, {...told, ...ids}],
      [`<script>window.vezne = {consented: true}</script>${element}`, {...told, ...ids}],
      [`<script>window.vezne = {consented: false}</script>${element}${tracker}`, told],
    ] as const) {
      localStorage.clear();
      const worker = await TestWorker.startCrossOrigin();
      const frame = await openPage({head: checkout(worker), body, ...address});
      await chooseBank(await inside(frame, 'vezne-checkout'), 'Toros');
      const [order] = await until('the order', async () => {
        const orders = await worker.calls('order');
        return orders.length > 0 ? orders : undefined;
      });
      expect((order?.body as {page?: unknown} | undefined)?.page).to.deep.equal(expected);
    }
  });
});

/**
 * Tests an order that a page with `checkout.js` places in one request, after reloads and lost answers, and with other
 * tabs.
 */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS, orderCode, session} from '../../stub-worker/answers.ts';
import {inside, openPage, reload} from '../../support/frame.ts';
import {find, findAll, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press, selectBank} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const CHECKOUT = '<vezne-checkout offer="gold" lang="en"></vezne-checkout>';
const head = (worker: TestWorker) => `<script type="module" src="${worker.address}/checkout.js?offer=gold"></script>`;

async function openCheckout(worker: TestWorker, options: {head?: string} = {}) {
  const frame = await openPage({head: head(worker), body: CHECKOUT, ...options});
  return {frame, element: await inside(frame, 'vezne-checkout')};
}

async function tap(element: Element): Promise<void> {
  await chooseBank(element, 'Toros');
}

const CODE = '881200450017';

/** The attempts with which pages have placed orders. */
async function attempts(worker: TestWorker): Promise<readonly unknown[]> {
  return (await worker.calls('order')).map(({body}) => (body as {attempt: string}).attempt);
}

/** What the browser has saved about the order. */
function saved(frame: HTMLIFrameElement, worker: TestWorker): Record<string, unknown> {
  return JSON.parse(frame.contentWindow?.localStorage.getItem(`vezne ${worker.address} gold`) ?? '{}') as Record<
    string,
    unknown
  >;
}

describe('an order that is placed in one request', () => {
  it('is neither saved nor placed by a reload if the shopper has only selected a bank', async () => {
    const worker = await TestWorker.start();
    const {frame, element} = await openCheckout(worker);
    expect(saved(frame, worker)).to.deep.equal({});
    await selectBank(element, 'Toros');
    expect(saved(frame, worker)).to.deep.equal({bank: 'toros'});
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), 'Last used');
    expect(await worker.calls('order')).to.deep.equal([]);
    expect(await worker.calls('session')).to.deep.equal([]);
  });

  it('is requested in the tap itself, before the tap is rendered', async () => {
    const worker = await TestWorker.start();
    const {frame, element} = await openCheckout(worker);
    const bank = await until('the banks', () => find<HTMLInputElement>(element, '[type=radio]'));
    const page = frame.contentWindow as Window & typeof globalThis;
    const {fetch} = page;
    const sent: unknown[] = [];
    page.fetch = (...request) => {
      sent.push(request[0]);
      return fetch(...request);
    };
    bank.click();
    expect(sent).to.deep.equal([`${worker.address}/v1/order-code`]);
    await untilText(element, CODE);
  });

  it('keeps the elements of the payment step on the page when the answer arrives', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'held'}}});
    const {element} = await openCheckout(worker);
    await tap(element);
    const step = await until('the payment step', () => find(element, 'vezne-payment-code'));
    await worker.release();
    await untilText(element, CODE);
    expect(find(element, 'vezne-payment-code')).to.equal(step);
  });

  it('is requested again with the same attempt after a lost answer', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'reset'}}});
    const {element} = await openCheckout(worker);
    await tap(element);
    await untilText(element, 'We can’t reach the payment service');
    await worker.script({faults: {}});
    await press(element, 'Try again');
    await untilText(element, CODE);
    const ids = await attempts(worker);
    expect(ids.length).to.be.greaterThan(1);
    expect(new Set(ids).size).to.equal(1);
  });

  it('is requested again with the same attempt and amount if the page was reloaded before the answer', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'held'}}});
    const {frame, element} = await openCheckout(worker);
    await tap(element);
    await until('the request', async () => (await worker.calls('order')).length);
    await worker.script({pageAmount: '159.90', faults: {}});
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), CODE);
    const bodies = (await worker.calls('order')).map(({body}) => body);
    expect(bodies).to.have.length(2);
    expect(bodies[1]).to.deep.equal(bodies[0]);
  });

  for (const {title, minutes, isRepeated} of [
    {title: 'is requested with a saved attempt that is 29 minutes old', minutes: 29, isRepeated: true},
    {title: 'is requested with a new attempt if the saved one is 30 minutes old', minutes: 30},
  ]) {
    it(title, async () => {
      const worker = await TestWorker.start();
      const id = '1-2-3-4-5-of-a-saved-attempt';
      const at = Date.now() - minutes * 60_000;
      localStorage.setItem(`vezne ${worker.address} gold`, JSON.stringify({attempt: {id, amount: '149.90', at}}));
      const {element} = await openCheckout(worker);
      await tap(element);
      await untilText(element, CODE);
      const ids = await attempts(worker);
      expect(ids).to.have.length(1);
      expect(ids[0] === id).to.equal(isRepeated ?? false);
    });
  }

  it('has the same code after a reload, which places no other order', async () => {
    const worker = await TestWorker.start();
    const {frame, element} = await openCheckout(worker);
    await tap(element);
    await untilText(element, CODE);
    expect(saved(frame, worker)).not.to.have.property('attempt');
    await reload(frame);
    await untilText(await inside(frame, 'vezne-checkout'), CODE);
    expect(await worker.calls('order')).to.have.length(1);
    expect(await worker.calls('session')).to.deep.equal([]);
  });

  it('reports its code to the page in an event, without the fields of the session', async () => {
    const worker = await TestWorker.start();
    const {frame, element} = await openCheckout(worker);
    const codes: object[] = [];
    frame.contentDocument?.addEventListener('vezne-order-code', ({orderCode: code}) => codes.push(code));
    await tap(element);
    await untilText(element, CODE);
    // The same fields as for a session of the merchant's server.
    expect(codes.map((code) => Object.keys(code).toSorted())).to.deep.equal([
      ['account', 'amount', 'currency', 'order', 'order_code', 'pay_until', 'seller'],
    ]);
  });

  it('uses one attempt if the shopper chooses a bank in two tabs at the same time', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'held'}}});
    const [first, second] = [await openCheckout(worker), await openCheckout(worker)];
    await tap(first.element);
    await tap(second.element);
    await until('both requests', async () => (await worker.calls('order')).length === 2);
    await worker.release();
    await untilText(first.element, CODE);
    await untilText(second.element, CODE);
    expect(new Set(await attempts(worker)).size).to.equal(1);
  });

  it('is not shown if another tab saved a session first: the page shows the code of that session', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'held'}}});
    const {frame, element} = await openCheckout(worker);
    await tap(element);
    await until('the request', async () => (await worker.calls('order')).length);
    const other = session({token: 'header.other-tab.signature'});
    frame.contentWindow?.localStorage.setItem(
      `vezne ${worker.address} gold`,
      JSON.stringify({session: other, bank: 'toros', step: 'pay'}),
    );
    await worker.script({code: orderCode({order_code: '990000000001'})});
    await worker.release();
    await untilText(element, '990000000001');
    expect((await worker.calls('code')).map(({body}) => body)).to.deep.equal([{session: other.token, bank: 'toros'}]);
  });

  it('needs a new attempt and another choice of a bank if the Worker refuses the attempt as too old', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'problem', code: 'session_expired'}}});
    const {element} = await openCheckout(worker);
    await tap(element);
    await until('the request', async () => (await worker.calls('order')).length);
    await worker.script({faults: {}});
    await chooseBank(element, 'Toros');
    await untilText(element, CODE);
    const ids = await attempts(worker);
    expect(new Set(ids).size).to.equal(ids.length);
  });

  it('is followed by an order with another attempt when the shopper starts over', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const {element} = await openCheckout(worker);
    await tap(element);
    await untilText(element, 'Payment received');
    await worker.script({
      session: session({token: 'header.second.signature-two'}),
      code: orderCode({order_code: '990000000001'}),
      payment: PAYMENTS.waiting,
    });
    await press(element, 'Place another order');
    await untilText(element, 'Which bank will you pay from?');
    expect(text(element)).to.include('₺149.90');
    await chooseBank(element, 'Toros');
    await untilText(element, '990000000001');
    expect(new Set(await attempts(worker)).size).to.equal(2);
  });

  it('is placed without storage too, and a retry on the same page repeats the same attempt', async () => {
    const worker = await TestWorker.start({faults: {order: {kind: 'reset'}}});
    const block = `<script>for (const area of ['localStorage', 'sessionStorage']) Object.defineProperty(window, area, {get() { throw new DOMException('blocked', 'SecurityError'); }})</script>`;
    const {element} = await openCheckout(worker, {head: block + head(worker)});
    await tap(element);
    await untilText(element, 'We can’t reach the payment service');
    await worker.script({faults: {}});
    await press(element, 'Try again');
    await untilText(element, CODE);
    expect(new Set(await attempts(worker)).size).to.equal(1);
  });

  it('is placed once for two elements and a double tap', async () => {
    const worker = await TestWorker.start();
    const {frame, element} = await openCheckout(worker);
    const page = frame.contentDocument as Document;
    page.body.append(Object.assign(page.createElement('vezne-checkout'), {offer: 'gold', lang: 'en'}));
    const toros = findAll(element, 'label.bank')[2];
    toros?.click();
    toros?.click();
    await untilText(page.body, new RegExp(`${CODE}.*${CODE}`));
    expect(await worker.calls('order')).to.have.length(1);
    expect(await worker.calls('session')).to.deep.equal([]);
  });

  it('is not placed if a page whose script names no offer has saved a session; the page uses that session', async () => {
    const worker = await TestWorker.start();
    const {frame} = await openCheckout(worker, {
      head: `<script type="module" src="${worker.address}/checkout.js"></script>`,
    });
    await untilText(await inside(frame, 'vezne-checkout'), 'Wooden desk lamp');
    const {element} = await openCheckout(worker);
    await tap(element);
    await untilText(element, CODE);
    expect(await worker.calls('session')).to.have.length(1);
    expect(await worker.calls('order')).to.deep.equal([]);
  });
});

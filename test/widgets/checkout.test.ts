/** The page script `checkout.js` on merchants' pages, whose origin differs from the Worker's. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS, bankList, orderCode, session} from './stub-worker/answers.ts';
import {STRICT, fetchedFiles, inside, openPage, recordFaults} from './support/frame.ts';
import {find, text, until, untilText} from './support/page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {TestWorker} from './support/test-worker.ts';

const tag = (worker: TestWorker, query = '?offer=gold') =>
  `<script type="module" src="${worker.address}/checkout.js${query}"></script>`;
const allTag = (worker: TestWorker) => `<script type="module" src="${worker.address}/vezne.js"></script>`;
const CHECKOUT = '<vezne-checkout offer="gold" lang="en"></vezne-checkout>';

async function openCheckout(worker: TestWorker, options: {policy?: string; head?: string; body?: string} = {}) {
  const frame = await openPage({head: tag(worker), body: CHECKOUT, ...options});
  return {frame, element: await inside(frame, 'vezne-checkout')};
}

async function reachCode(element: Element): Promise<void> {
  await chooseBank(element, 'Toros');
  await untilText(element, 'Enter only this as the description');
}

/** The endpoints that the page has called. The socket is left out, because it may open earlier or later. */
async function operations(worker: TestWorker): Promise<readonly string[]> {
  return (await worker.calls()).map(({operation}) => operation).filter((operation) => operation !== 'live');
}

describe('the page script checkout.js', () => {
  it('shows banks, title and amount without further requests, and gets session and code with one request', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {element} = await openCheckout(worker, {policy: STRICT});
    expect(text(element)).to.include('Wooden desk lamp').and.to.include('₺149.90').and.to.include('Toros Bank');
    expect(await operations(worker)).to.deep.equal(['pageScript']);
    await chooseBank(element, 'Toros');
    await untilText(element, '881200450017');
    await untilText(element, 'Waiting for your transfer');
    const [order, ...others] = await worker.calls('order');
    expect(others).to.deep.equal([]);
    const {attempt, ...rest} = (order as {body: {attempt: string}}).body;
    expect(rest).to.deep.equal({offer: 'gold', shown_amount: '149.90', bank: 'toros'});
    expect(attempt).to.match(/^[A-Za-z0-9_-]{22,64}$/);
    expect(await operations(worker)).to.deep.equal(['pageScript', 'order']);
    // A request with this header would need a preflight.
    expect((order as {authorization: string | null}).authorization).to.equal(null);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
  });

  it('says without a tap that the Worker does not allow the page', async () => {
    const worker = await TestWorker.startCrossOrigin({isAllowed: false});
    const {element} = await openCheckout(worker);
    await untilText(element, 'Add that origin to its ALLOWED_ORIGINS.');
    expect(text(element)).not.to.include('Toros Bank').and.not.to.include('Wooden desk lamp');
  });

  it('obeys a strict Content-Security-Policy with Trusted Types in every step', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, element} = await openCheckout(worker, {policy: STRICT});
    const faults = recordFaults(frame);
    await reachCode(element);
    await press(element, 'Change');
    await reachCode(element);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    expect(faults).to.deep.equal([]);
    expect(frame.contentDocument?.querySelectorAll('style, link')).to.have.length(0);
  });

  it('says that the chosen bank is gone if the answer with the code has no account', async () => {
    const worker = await TestWorker.startCrossOrigin({code: orderCode({account: null})});
    const {element} = await openCheckout(worker);
    await reachCode(element);
    await untilText(element, 'no longer');
  });

  it('requests the account of another bank from the Worker when the shopper changes the bank', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {element} = await openCheckout(worker);
    await reachCode(element);
    await press(element, 'Change');
    await chooseBank(element, 'Marmara');
    await untilText(element, 'TR460001500158007299283748');
    expect(text(element)).to.include('881200450017');
    expect((await worker.calls('code')).map(({body}) => body)).to.deep.equal([
      {session: 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one', bank: 'marmara'},
    ]);
    expect(await worker.calls('order')).to.have.length(1);
  });

  it('shows a changed price before the code, and shows the code after the shopper chooses a bank again', async () => {
    const worker = await TestWorker.startCrossOrigin({
      pageAmount: '149.90',
      session: session({amount: '159.90'}),
      code: orderCode({amount: '159.90'}),
      payment: {...PAYMENTS.waiting, amount: '159.90', remaining: '159.90'},
    });
    const {frame, element} = await openCheckout(worker);
    await chooseBank(element, 'Toros');
    await untilText(element, 'The price changed from ₺149.90 to ₺159.90. If that’s OK, choose your bank again.');
    expect(text(find(element, '.header') as Element))
      .to.include('₺159.90')
      .and.not.include('₺149.90');
    expect(await operations(worker)).to.deep.equal(['pageScript', 'order', 'session']);
    expect(frame.contentWindow?.localStorage.getItem(`vezne ${worker.address} gold`)).not.to.include('attempt');
    await chooseBank(element, 'Toros');
    await untilText(element, 'Enter only this as the description');
    expect(text(element)).to.include('₺159.90').and.to.include('881200450017');
    expect(await worker.calls('order')).to.have.length(1);
  });

  it('shows the amount of the answer if the merchant’s server has changed the placed order', async () => {
    const worker = await TestWorker.startCrossOrigin({code: orderCode({amount: '120.00'})});
    const {element} = await openCheckout(worker);
    await reachCode(element);
    expect(text(element)).to.include('881200450017').and.to.include('₺120.00');
    expect(await operations(worker)).to.deep.equal(['pageScript', 'order']);
  });

  it('shows no data of another Worker than the Worker of the page’s first script', async () => {
    const [worker, other] = [
      await TestWorker.startCrossOrigin(),
      await TestWorker.startCrossOrigin({pageAmount: '1.00'}),
    ];
    const {element} = await openCheckout(worker, {head: tag(worker).replace('checkout', 'vendor') + tag(other)});
    await untilText(element, '₺149.90');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('opens a session for the human check if the Worker requires the check before an order', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {
        order: {kind: 'problem', code: 'human_check_required'},
        code: {kind: 'problem', code: 'human_check_required'},
      },
    });
    const {element} = await openCheckout(worker);
    await chooseBank(element, 'Toros');
    await untilText(element, 'human');
    expect(await operations(worker)).to.include.members(['order', 'session', 'code']);
    await worker.script({faults: {}});
  });

  it('keeps the title of the offer while the code is on its way', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {order: {kind: 'held'}}});
    const {element} = await openCheckout(worker);
    await chooseBank(element, 'Toros');
    await untilText(element, 'Send the money from your bank');
    expect(text(element)).to.include('Wooden desk lamp');
  });

  for (const query of ['', '?offer=nobody']) {
    it(`immediately opens a session if the script’s URL names no known offer: ${query || '(no query)'}`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      const {frame, element} = await openCheckout(worker, {policy: STRICT, head: tag(worker, query)});
      const faults = recordFaults(frame);
      await untilText(element, 'Wooden desk lamp');
      expect(await worker.calls('session')).to.have.length(1);
      await reachCode(element);
      expect(await worker.calls('order')).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
    });
  }

  it('uses the session that the merchant’s server opened, even if the script’s URL names an offer', async () => {
    const worker = await TestWorker.startCrossOrigin({token: 'a.b.merchant-made-9'});
    const {element} = await openCheckout(worker, {
      body: '<vezne-checkout session="a.b.merchant-made-9" lang="en"></vezne-checkout>',
    });
    await reachCode(element);
    expect(await operations(worker)).to.deep.equal(['pageScript', 'code']);
  });

  it('asks the Worker for the banks if the script contains no list', async () => {
    const worker = await TestWorker.startCrossOrigin({hasPageBanks: false});
    const {element} = await openCheckout(worker);
    await untilText(element, 'Toros Bank');
    expect(text(element)).to.include('Wooden desk lamp');
    expect(await operations(worker)).to.deep.equal(['pageScript', 'banks']);
  });

  it('says that there is no account if the list in the script is empty, and asks the Worker at a retry', async () => {
    const worker = await TestWorker.startCrossOrigin({banks: bankList([])});
    const {element} = await openCheckout(worker);
    await untilText(element, 'Bank transfer isn’t available right now');
    await worker.script({banks: bankList()});
    await press(element, 'Try again');
    await untilText(element, 'Toros Bank');
  });

  it('does not move the rest of the page when the checkout appears', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, element} = await openCheckout(worker, {body: `${CHECKOUT}<p id="below">Below</p>`});
    const below = await inside(frame, '#below');
    const {top} = below.getBoundingClientRect();
    await until('the payment step’s file', () => fetchedFiles(frame).includes('checkout/payment'));
    expect(below.getBoundingClientRect().top).to.equal(top);
    expect(find(element, '.skeleton')).to.equal(undefined);
  });

  it('runs only once if a page loads it several times, even from different URLs or Workers', async () => {
    const [worker, other] = [await TestWorker.startCrossOrigin(), await TestWorker.startCrossOrigin()];
    const {frame, element} = await openCheckout(worker, {
      policy: STRICT,
      head: tag(worker) + tag(worker, '?offer=gold&again') + tag(other),
    });
    const faults = recordFaults(frame);
    await until('all scripts', () => fetchedFiles(frame).filter((name) => name === 'checkout').length === 3);
    await reachCode(element);
    expect(await worker.calls('order')).to.have.length(1);
    expect(await operations(other)).to.deep.equal(['pageScript']);
    expect(faults).to.deep.equal([]);
  });

  const BOTH = `${CHECKOUT}<vezne-pin-subscribe offer="club" lang="en"></vezne-pin-subscribe>`;

  for (const [order, heads] of [
    ['before', (worker: TestWorker) => tag(worker) + allTag(worker)],
    ['after', (worker: TestWorker) => allTag(worker) + tag(worker)],
  ] as const)
    it(`is loaded once by a page that has its tag ${order} the tag of vezne.js, which loads the other scripts`, async () => {
      const worker = await TestWorker.startCrossOrigin();
      const {frame, element} = await openCheckout(worker, {policy: STRICT, head: heads(worker), body: BOTH});
      const faults = recordFaults(frame);
      await untilText(await inside(frame, 'vezne-pin-subscribe'), 'Club membership');
      await reachCode(element);
      expect(await worker.calls('order')).to.have.length(1);
      expect(await worker.calls('pageScript')).to.have.length(2);
      expect(faults).to.deep.equal([]);
    });

  it('loads the texts of the payment step in the language of the page, and those of another one when it is spoken', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const {frame, element} = await openCheckout(worker);
    const texts = () => fetchedFiles(frame).filter((name) => /payment-(tr|en)$/.test(name));
    await reachCode(element);
    expect(texts()).to.deep.equal(['checkout/payment-en']);
    // The code and the status beside it, which are in the same file, and the card that shows where the money is.
    element.lang = 'tr';
    await untilText(element, 'Açıklamaya yalnızca bunu yazın');
    await untilText(element, 'Ödemenizi bekliyoruz');
    expect(texts()).to.deep.equal(['checkout/payment-en', 'checkout/payment-tr']);
    await press(element, 'Parayı gönderdim');
    await untilText(element, 'Gönderildi');
    element.lang = 'en';
    await untilText(element, 'This page updates automatically when your money arrives.');
    expect(text(element)).to.include('At the bank').and.to.include('Payment code');
    expect(texts()).to.deep.equal(['checkout/payment-en', 'checkout/payment-tr']);
  });

  it('shows each of two elements in its language', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const body = '<vezne-payment-status offer="gold" lang="tr"></vezne-payment-status>';
    const {frame, element} = await openCheckout(worker, {body: CHECKOUT + body});
    await reachCode(element);
    const status = await inside(frame, 'vezne-payment-status');
    await untilText(status, 'Ödemenizi bekliyoruz');
    expect(text(element)).to.include('Waiting for your transfer');
    expect(frame.contentDocument?.documentElement.lang).to.equal('tr');
  });

  it('asks for a reload if a deployment has removed a later file of the script; one reload is enough', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const frame = await openPage({policy: STRICT, head: tag(worker), body: '<p>Shop</p>'});
    await until('the script', () => fetchedFiles(frame).includes('checkout'));
    await worker.script({digest: 'newFiles'});
    const page = frame.contentDocument as Document;
    page.body.append(Object.assign(page.createElement('vezne-checkout'), {offer: 'gold', lang: 'en'}));
    const element = await inside(frame, 'vezne-checkout');
    await chooseBank(element, 'Toros');
    await untilText(element, 'This page was updated Reload it to continue where you left off.');
    expect(find(element, '.problem.calm')).not.to.equal(undefined);
    await worker.script({digest: 'newFiles'});
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
    await press(element, 'Reload the page');
    await loaded;
    const reloaded = frame.contentDocument as Document;
    reloaded.body.append(Object.assign(reloaded.createElement('vezne-checkout'), {offer: 'gold', lang: 'en'}));
    await untilText(await inside(frame, 'vezne-checkout'), '881200450017');
    expect(await worker.calls('order')).to.have.length(1);
    expect(await worker.calls('session')).to.deep.equal([]);
  });
});

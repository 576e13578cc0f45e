import {expect} from '@open-wc/testing';
import '../../../../widgets/bundles/hosted.ts';
import type {RedirectEvent} from '../../../../widgets/transfer/pay-button/hosted-pages.ts';
import {PAYMENTS} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {find, press, record, show, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

interface Opened {
  readonly worker: TestWorker;
  readonly element: HTMLElement;
  /** Where the shopper would have been sent; nobody is. */
  readonly redirects: RedirectEvent[];
}

async function open(attributes = '', script: Partial<Script> = {}, worker?: TestWorker): Promise<Opened> {
  const there = worker ?? (await TestWorker.start(script));
  const element = show(
    `<vezne-pay-button api="${there.address}" offer="gold" lang="en" ${attributes}></vezne-pay-button>`,
  );
  const redirects = record<RedirectEvent>(element, 'vezne-redirect');
  element.addEventListener('vezne-redirect', (event) => event.preventDefault());
  return {worker: there, element, redirects};
}

/** This page as the platform sends somebody back to it. */
function returned(from: string, how: string): void {
  const address = new URL(location.href);
  address.searchParams.set('vezne-return', `${from}.${how}`);
  history.replaceState(null, '', address);
}

beforeEach(() => sessionStorage.clear());

describe('vezne-pay-button', () => {
  it('leads to the bank page, and says where to come back to', async () => {
    const {worker, element, redirects} = await open();
    await press(element, 'Pay by bank transfer');
    await until('the way there', () => redirects.length > 0);
    expect(redirects.map(({url}) => url)).to.deep.equal(['https://pay.platform.example/phs/banks/881200450017']);
    const here = new URL(location.href);
    here.hash = '';
    const back = (how: string) => {
      const address = new URL(here);
      address.searchParams.set('vezne-return', `bank-page.${how}`);
      return address.href;
    };
    expect((await worker.calls('bankPage'))[0]?.body).to.deep.equal({
      redirect_url: back('done'),
      back_url: back('back'),
    });
  });

  it('leads to the common payment page', async () => {
    const {worker, element, redirects} = await open('via="payment-page"');
    await press(element, 'Pay with your mobile phone');
    await until('the way there', () => redirects.length > 0);
    expect(redirects.map(({url}) => url)).to.deep.equal(['https://pay.platform.example/page/7f3']);
    expect(Object.keys((await worker.calls('paymentPage'))[0]?.body ?? {})).to.deep.equal([
      'success_url',
      'failure_url',
    ]);
  });

  it('asks for another page where the one before came to nothing, also after a reload, and only then', async () => {
    returned('payment-page', 'failure');
    const {worker, element: before} = await open('via="payment-page"');
    await untilText(before, 'Open the payment page again');
    before.remove();
    const {element, redirects} = await open('via="payment-page"', {}, worker);
    dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
    await press(element, 'Open the payment page again');
    await until('the way there', () => redirects.length === 1);
    await press(element, 'Open the payment page again');
    await until('the way there', () => redirects.length === 2);
    expect((await worker.calls('paymentPage')).map(({body}) => (body as {anew?: boolean}).anew)).to.deep.equal([
      true,
      undefined,
    ]);
  });

  it('asks for another page on a page the browser brings back, after another of the tab heard that it came to nothing', async () => {
    const {worker, element, redirects} = await open('via="payment-page"');
    await press(element, 'Pay with your mobile phone');
    await until('the way there', () => redirects.length === 1);
    returned('payment-page', 'failure');
    (await open('via="payment-page"', {}, worker)).element.remove();
    dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
    await press(element, 'Open the payment page again');
    await until('the way there', () => redirects.length === 2);
    expect((await worker.calls('paymentPage')).map(({body}) => (body as {anew?: boolean}).anew)).to.deep.equal([
      undefined,
      true,
    ]);
  });

  it('says what the page wants it to say', async () => {
    const worker = await TestWorker.start();
    const element = show(`<vezne-pay-button api="${worker.address}" offer="gold">Lambayı al</vezne-pay-button>`);
    await until('the button', () => find(element, 'button'));
    expect(
      find<HTMLSlotElement>(element, 'button slot')
        ?.assignedNodes()
        .map(({textContent}) => textContent),
    ).to.deep.equal(['Lambayı al']);
  });

  it('reads how the payment stands when somebody comes back, whatever the address says', async () => {
    returned('bank-page', 'success');
    const {worker, element} = await open();
    await untilText(element, 'Waiting for your transfer');
    expect(location.href).to.not.contain('vezne-return');
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
    expect(text(element)).to.not.contain('Open the payment page again');
  });

  it('says that it is paid although the address says failure', async () => {
    returned('bank-page', 'failure');
    const {element} = await open('', {payment: PAYMENTS.paid});
    await untilText(element, 'Your payment has arrived');
  });

  it('says of the payment page nothing about transfers, and where the money came from', async () => {
    returned('payment-page', 'success');
    const {worker, element} = await open('via="payment-page"');
    await untilText(element, 'We are checking your payment');
    for (const words of ['Waiting for your transfer', 'your code', 'the same bank'])
      expect(text(element)).to.not.contain(words);
    const [transaction] = PAYMENTS.paid.transactions;
    if (!transaction) throw new Error('A payment without a transaction.');
    await worker.send({...PAYMENTS.paid, transactions: [{...transaction, bank: null}]});
    await untilText(element, 'Your payment has arrived');
    expect(text(element)).to.contain('Phone bill');
  });

  it('is not offered for what another button of the page says is paid', async () => {
    returned('payment-page', 'failure');
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const page = show(
      `<div>${['bank-page', 'payment-page'].map((via) => `<vezne-pay-button api="${worker.address}" offer="gold" lang="en" via="${via}"></vezne-pay-button>`).join('')}</div>`,
    );
    await untilText(page, 'Your payment has arrived');
    await until('no button', () => !text(page).includes('Pay by bank transfer'));
    expect(text(page)).to.not.contain('Open the payment page again');
  });

  it('begins anew for who wants to pay once more', async () => {
    returned('payment-page', 'success');
    const {worker, element} = await open('via="payment-page"', {payment: PAYMENTS.paid});
    await untilText(element, 'Your payment has arrived');
    await worker.script({payment: PAYMENTS.waiting});
    await press(element, 'Start a new payment');
    await untilText(element, 'Pay with your mobile phone');
    expect(text(element)).to.not.contain('We are checking');
  });

  it('opens the page again, however often it was closed', async () => {
    const {worker, element, redirects} = await open();
    await press(element, 'Pay by bank transfer');
    await until('the way there', () => redirects.length === 1);
    element.remove();
    const again = await open('', {}, worker);
    await press(again.element, 'Open the payment page again');
    await until('the way there', () => again.redirects.length === 1);
  });

  it('says why there is no way, and another try finds one', async () => {
    const {worker, element, redirects} = await open('', {
      faults: {bankPage: {kind: 'problem', code: 'return_url_not_allowed'}},
    });
    await press(element, 'Pay by bank transfer');
    await untilText(element, 'could not be started');
    await worker.fault('bankPage');
    await press(element, 'Pay by bank transfer');
    await until('the way there', () => redirects.length === 1);
  });
});

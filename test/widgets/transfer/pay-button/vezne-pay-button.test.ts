import {expect} from '@open-wc/testing/pure';
import '../../../../widgets/bundles/hosted.ts';
import type {RedirectEvent} from '../../../../widgets/transfer/pay-button/hosted-pages.ts';
import {findPurchase} from '../../../../widgets/transfer/purchase/purchase.ts';
import {PAYMENTS, session} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {FakeTime} from '../../support/fake-time.ts';
import {find, findAll, focused, record, show, text, until, untilText} from '../../support/page.ts';
import {press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

interface Opened {
  readonly worker: TestWorker;
  readonly element: HTMLElement;
  /** The redirects. The test prevents all of them. */
  readonly redirects: RedirectEvent[];
}

async function open(attributes = '', script: Partial<Script> = {}, existing?: TestWorker): Promise<Opened> {
  const worker = existing ?? (await TestWorker.start(script));
  const element = show(
    `<vezne-pay-button api="${worker.address}" offer="gold" lang="en" ${attributes}></vezne-pay-button>`,
  );
  const redirects = record<RedirectEvent>(element, 'vezne-redirect');
  element.addEventListener('vezne-redirect', (event) => event.preventDefault());
  return {worker, element, redirects};
}

/** Changes the page's URL to the URL to which the platform sends the shopper back. */
function returnFrom(hostedPage: string, outcome: string): void {
  const address = new URL(location.href);
  address.searchParams.set('vezne-return', `${hostedPage}.${outcome}`);
  history.replaceState(null, '', address);
}

beforeEach(() => sessionStorage.clear());

describe('vezne-pay-button', () => {
  afterEach(() => history.replaceState(null, '', location.pathname + location.search));

  it('sends the shopper to the bank page, and requests this page with the URLs to return to and their fragment', async () => {
    history.replaceState(null, '', '#/odeme');
    const {worker, element, redirects} = await open();
    await press(element, 'by bank transfer');
    await until('the redirect', () => redirects.length > 0);
    expect(redirects.map(({url}) => url)).to.deep.equal(['https://pay.platform.example/phs/banks/881200450017']);
    const here = location.href;
    expect(here).to.contain('#/odeme');
    const returnUrl = (outcome: string) => {
      const address = new URL(here);
      address.searchParams.set('vezne-return', `bank-page.${outcome}`);
      return address.href;
    };
    expect((await worker.calls('bankPage'))[0]?.body).to.deep.equal({
      redirect_url: returnUrl('done'),
      back_url: returnUrl('back'),
    });
  });

  it('names a new amount before it opens the page of a new payment', async () => {
    const worker = await TestWorker.start();
    const {element: first} = await open('', {}, worker);
    await untilText(first, 'Pay ₺149.90 by bank transfer');
    first.remove();
    const token = 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-two';
    await worker.script({session: session({token, amount: '199.90'}), token});
    const {element, redirects} = await open('', {}, worker);
    await press(element, 'Pay ₺149.90 by bank transfer');
    await untilText(element, 'The price is now ₺199.90. Pay ₺199.90 by bank transfer');
    expect(redirects).to.deep.equal([]);
    await press(element, 'Pay ₺199.90 by bank transfer');
    await until('the redirect', () => redirects.length === 1);
    expect(text(element)).not.to.include('The price is now');
  });

  it('does not name the amount of a saved session that can create no order any more', async () => {
    const worker = await TestWorker.start({session: session({create_until: '2020-01-01T00:00:00+03:00'})});
    const {element} = await open('', {}, worker);
    await until('the session', async () => (await worker.calls('session')).length > 0);
    await press(element, 'Pay by bank transfer');
    await until('the request', async () => (await worker.calls('bankPage')).length > 0);
    expect(text(element)).not.to.include('149.90');
  });

  it('opens no session before a press if it is out of view or has a label of its own', async () => {
    const worker = await TestWorker.start();
    const button = `<vezne-pay-button api="${worker.address}" offer="gold" lang="en">`;
    const page = show(
      `<div>${button}<b>Buy</b></vezne-pay-button><div style="block-size: 300vh"></div>${button}</vezne-pay-button></div>`,
    );
    const [own, below] = findAll(page, 'vezne-pay-button') as [HTMLElement, HTMLElement];
    const observed = new Promise((resolve) => new IntersectionObserver(resolve).observe(below));
    await untilText(below, 'Pay by bank transfer');
    await until('the button', () => find(own, 'button'));
    await observed;
    expect(await worker.calls('session')).to.deep.equal([]);
    below.scrollIntoView();
    await untilText(below, 'Pay ₺149.90 by bank transfer');
    expect(await worker.calls('session')).to.have.length(1);
  });

  it('opens the session again immediately on a press if that failed when the page showed the button', async () => {
    const {worker, element, redirects} = await open('', {
      faults: {session: {kind: 'problem', code: 'temporarily_unavailable', retryAfter: 300}},
    });
    await until('the failure', async () => (await worker.calls('session')).length === 1);
    const purchase = findPurchase(worker.address, {offer: 'gold', session: ''});
    await until('the stored failure', () => purchase.session.result.status === 'failed');
    await worker.fault('session');
    await press(element, 'Pay by bank transfer');
    await until('the redirect', () => redirects.length === 1);
  });

  it('sends the shopper to the payment page if its `via` names that page', async () => {
    const {worker, element, redirects} = await open('via="payment-page"');
    await press(element, 'Pay ₺149.90 by phone bill');
    await until('the redirect', () => redirects.length > 0);
    expect(redirects.map(({url}) => url)).to.deep.equal(['https://pay.platform.example/page/7f3']);
    const {body} = (await worker.calls('paymentPage'))[0] ?? {};
    expect(Object.keys(body ?? {})).to.deep.equal(['success_url', 'failure_url', 'language']);
    expect(body).to.include({language: 'en'});
  });

  it('requests a new payment page once after a failure, even if the merchant’s page was reloaded', async () => {
    returnFrom('payment-page', 'failure');
    const {worker, element: before} = await open('via="payment-page"');
    await untilText(before, 'Reopen the phone bill page');
    before.remove();
    const {element, redirects} = await open('via="payment-page"', {}, worker);
    dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
    await press(element, 'Reopen the phone bill page');
    await until('the redirect', () => redirects.length === 1);
    await press(element, 'Reopen the phone bill page');
    await until('the redirect', () => redirects.length === 2);
    expect((await worker.calls('paymentPage')).map(({body}) => (body as {anew?: boolean}).anew)).to.deep.equal([
      true,
      undefined,
    ]);
  });

  it('requests a new payment page if the browser restores an old page after a later page saw the failure', async () => {
    const {worker, element, redirects} = await open('via="payment-page"');
    await press(element, 'Pay ₺149.90 by phone bill');
    await until('the redirect', () => redirects.length === 1);
    returnFrom('payment-page', 'failure');
    (await open('via="payment-page"', {}, worker)).element.remove();
    dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}));
    await press(element, 'Reopen the phone bill page');
    await until('the redirect', () => redirects.length === 2);
    expect((await worker.calls('paymentPage')).map(({body}) => (body as {anew?: boolean}).anew)).to.deep.equal([
      undefined,
      true,
    ]);
  });

  it('shows the merchant’s own label', async () => {
    const worker = await TestWorker.start();
    const element = show(`<vezne-pay-button api="${worker.address}" offer="gold">Lambayı al</vezne-pay-button>`);
    await until('the button', () => find(element, 'button'));
    expect(
      find<HTMLSlotElement>(element, 'button slot')
        ?.assignedNodes()
        .map(({textContent}) => textContent),
    ).to.deep.equal(['Lambayı al']);
  });

  it('does not believe a success in the return URL until the Worker says that the order is paid', async () => {
    returnFrom('bank-page', 'success');
    const {worker, element} = await open();
    await untilText(element, 'Checking your ₺149.90 payment');
    expect(location.href).to.not.contain('vezne-return');
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    expect(text(element)).to.not.contain('Reopen');
  });

  it('offers the other way to pay only after the shopper comes back from the first page without having paid', async () => {
    returnFrom('bank-page', 'done');
    const {worker, element: first} = await open();
    const {element: other} = await open('via="payment-page"', {}, worker);
    await untilText(first, 'Checking your ₺149.90 payment');
    await until('no second note', () => text(other) === '');
    first.style.display = 'none';
    other.lang = 'tr';
    await untilText(other, 'para ulaşınca burada görünür; yeniden ödemeyin.');
    expect(find(other, 'button')).to.equal(undefined);
    first.remove();
    other.remove();
    returnFrom('bank-page', 'back');
    await untilText((await open('', {}, worker)).element, 'We don’t see your');
    await untilText((await open('via="payment-page"', {}, worker)).element, 'Pay ₺149.90 by phone bill');
  });

  it('does not offer the other way to pay after Back from the first page, until the shopper says that it is not paid', async () => {
    const {worker, element, redirects} = await open('via="payment-page"');
    await press(element, 'by phone bill');
    await until('the redirect', () => redirects.length === 1);
    element.remove();
    const again = await open('via="payment-page"', {}, worker);
    const {element: other} = await open('', {}, worker);
    await untilText(again.element, 'Checking your ₺149.90 payment');
    expect(text(other)).to.equal('');
    await press(again.element, 'I haven’t paid, pay by bank transfer');
    await untilText(other, 'Pay ₺149.90 by bank transfer');
    await untilText(again.element, 'Pay ₺149.90 by phone bill');
  });

  it('asks in its own place whether the shopper has paid, if the page hides the other button', async () => {
    returnFrom('payment-page', 'away');
    const {worker, element: hidden} = await open('via="payment-page"');
    hidden.style.display = 'none';
    const {element} = await open('', {}, worker);
    await untilText(element, 'If you’ve paid, it will show up here; don’t pay again.');
    await press(element, 'I haven’t paid, pay by bank transfer');
    await untilText(element, 'Pay ₺149.90 by bank transfer');
  });

  it('names the phone bill as the source after the payment page, and does not mention transfers', async () => {
    returnFrom('payment-page', 'success');
    const {worker, element} = await open('via="payment-page"');
    await untilText(element, 'Checking your ₺149.90 payment');
    for (const transferText of ['Waiting for your transfer', 'your code', 'the same bank'])
      expect(text(element)).to.not.contain(transferText);
    const [transaction] = PAYMENTS.paid.transactions;
    if (!transaction) throw new Error('A payment without a transaction.');
    await worker.send({...PAYMENTS.paid, transactions: [{...transaction, bank: null}]});
    await untilText(element, 'Payment received');
    expect(text(element)).to.contain('From your phone bill');
  });

  it('says nothing and offers no payment if the card of another pay button says that the order is paid', async () => {
    returnFrom('payment-page', 'failure');
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const page = show(
      `<div>${['bank-page', 'payment-page'].map((via) => `<vezne-pay-button api="${worker.address}" offer="gold" lang="en" via="${via}"></vezne-pay-button>`).join('')}</div>`,
    );
    const [bankButton, phoneButton] = findAll(page, 'vezne-pay-button') as [Element, Element];
    await untilText(phoneButton, 'Payment received Thank you.');
    await until('no button', () => text(bankButton) === '');
    expect(text(page)).to.not.contain('Reopen');
  });

  for (const outcome of ['', 'success'])
    it(`offers no payment if money is unmatched, ${outcome ? 'after' : 'without'} a return from its page`, async () => {
      if (outcome) returnFrom('payment-page', outcome);
      const worker = await TestWorker.start({payment: PAYMENTS.unclear});
      const {element} = await open('via="payment-page"', {}, worker);
      const status = show(
        `<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`,
      );
      await untilText(status, 'Don’t send it again');
      await until('no button', () => !find(element, 'button[aria-disabled], button.soft, button slot'));
      expect(text(element)).not.to.match(/by phone bill|Reopen/);
      await untilText(element, outcome ? 'Your payment wasn’t in Turkish lira' : 'A payment has arrived');
    });

  it('offers no payment after the shopper says in another element that the money is sent', async () => {
    const {worker, element} = await open('via="payment-page"');
    await untilText(element, 'Pay ₺149.90 by phone bill');
    const code = show(
      `<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`,
    );
    await press(code, 'I’ve sent the money');
    await untilText(element, 'This page updates automatically when your money arrives. Don’t send it again.');
    expect(find(element, 'button')).to.equal(undefined);
  });

  it('no longer offers the payment page after the shopper says elsewhere that the money is sent', async () => {
    returnFrom('payment-page', 'failure');
    const {worker, element} = await open('via="payment-page"');
    await untilText(element, 'If not, you can still pay. Reopen the phone bill page');
    const code = show(
      `<vezne-payment-code api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-code>`,
    );
    await press(code, 'I’ve sent the money');
    await untilText(element, 'Don’t send it again.');
    expect(text(element)).not.to.match(/reopen/i);
  });

  it('passes its attribute quiet to the checkout that replaces it', async () => {
    const {element} = await open('quiet', {faults: {bankPage: {kind: 'problem', code: 'bank_page_unavailable'}}});
    await press(element, 'by bank transfer');
    const checkout = await until('the checkout', () => find(element, 'vezne-checkout'));
    expect(checkout.hasAttribute('quiet')).to.equal(true);
  });

  it('shows its first label again when the shopper starts a new payment', async () => {
    returnFrom('payment-page', 'success');
    const {worker, element} = await open('via="payment-page"', {payment: PAYMENTS.paid});
    await untilText(element, 'Payment received');
    await worker.script({payment: PAYMENTS.waiting});
    await press(element, 'Place another order');
    await untilText(element, 'Pay ₺149.90 by phone bill');
    expect(text(element)).to.not.contain('Checking your ₺149.90 payment');
  });

  it('reopens the bank page for a shopper who closed it and opens the merchant’s page again', async () => {
    const {worker, element, redirects} = await open();
    await press(element, 'by bank transfer');
    await until('the redirect', () => redirects.length === 1);
    element.remove();
    const again = await open('', {}, worker);
    await press(again.element, 'Reopen the bank page');
    await until('the redirect', () => again.redirects.length === 1);
  });

  it('shows the checkout of the same order if the bank page may not know the order’s code', async () => {
    const {worker, element, redirects} = await open('', {
      faults: {bankPage: {kind: 'problem', code: 'bank_page_unavailable'}},
    });
    await press(element, 'by bank transfer');
    const checkout = await until('the checkout', () => find(element, 'vezne-checkout'));
    await untilText(element, 'Marmara Bankası');
    expect(text(element)).to.not.contain('by bank transfer');
    expect(redirects).to.deep.equal([]);
    (await until('the bank', () => find<HTMLInputElement>(checkout, 'input[value="marmara"]'))).click();
    await untilText(element, '881200450017');
    const [token] = await worker.codeSessions();
    expect((await worker.calls('bankPage'))[0]?.authorization).to.equal(`Bearer ${token}`);
  });

  it('shows why the bank page cannot be opened, and opens it when the shopper presses again', async () => {
    const {worker, element, redirects} = await open('', {
      faults: {bankPage: {kind: 'problem', code: 'return_url_not_allowed'}},
    });
    await press(element, 'by bank transfer');
    await untilText(element, 'We couldn’t start the payment');
    await worker.fault('bankPage');
    await press(element, 'Try again');
    await until('the redirect', () => redirects.length === 1);
  });

  it('shows the receipt if the Worker refuses a payment because the order is paid already', async () => {
    const {worker, element} = await open('', {faults: {bankPage: {kind: 'problem', code: 'order_paid'}}});
    await untilText(element, 'by bank transfer');
    await worker.script({payment: PAYMENTS.paid});
    await press(element, 'by bank transfer');
    await untilText(element, 'Payment received');
    expect(text(element)).not.to.match(/by bank transfer|nothing left to pay/);
  });

  it('offers no payment after the Worker says that the merchant has cancelled the order', async () => {
    const {element} = await open('', {faults: {bankPage: {kind: 'problem', code: 'order_cancelled'}}});
    await press(element, 'by bank transfer');
    await untilText(element, 'Your order was cancelled Don’t send the money.');
    expect(findAll(element, 'button')).to.deep.equal([]);
  });

  it('offers no payment, but a reload, after the session from the shop has ended', async () => {
    const {element} = await open('session="shop-session"', {
      faults: {bankPage: {kind: 'problem', code: 'session_expired'}},
    });
    await press(element, 'by bank transfer');
    await untilText(element, 'don’t send it again. If you haven’t, reload this page');
    expect(findAll(element, 'button').map((button) => [button.className, text(button)])).to.deep.equal([
      ['button', 'Reload the page'],
    ]);
  });

  it('does not offer the platform’s page again until it knows what has been paid', async () => {
    returnFrom('bank-page', 'done');
    const {worker, element} = await open('', {faults: {payment: {kind: 'held'}}, sockets: 'silent'});
    await until('the skeleton', () => find(element, '.skeleton'));
    expect(text(element)).not.to.contain('Reopen');
    await worker.fault('payment');
    await worker.send(PAYMENTS.waiting);
    await untilText(element, 'Reopen the bank page');
  });

  it('asks a shopper who is rate limited to wait, and sends no request before the time is over', async () => {
    const {worker, element, redirects} = await open('', {
      faults: {bankPage: {kind: 'problem', code: 'rate_limited', retryAfter: 20}},
    });
    const time = new FakeTime();
    try {
      await press(element, 'by bank transfer');
      await untilText(element, 'You can continue in 20 seconds. No money has left your account. Pay ₺149.90');
      const button = await until('a button that waits', () => find(element, 'button[aria-disabled=true]'));
      button.focus();
      expect(focused()).to.equal(button);
      await worker.fault('bankPage');
      await press(element, 'by bank transfer');
      expect(await worker.calls('bankPage')).to.have.length(1);
      time.pass(20_000);
      await until('the end of the wait', () => !button.ariaDisabled && !text(element).includes('Please wait'));
      await press(element, 'by bank transfer');
      await until('the redirect', () => redirects.length === 1);
    } finally {
      time.release();
    }
  });

  it('asks nothing about an order after the page has set another one', async () => {
    const {element} = await open('', {faults: {bankPage: {kind: 'problem', code: 'human_check_required'}}});
    await press(element, 'by bank transfer');
    await until('the question', () => find(element, 'vezne-human-check'));
    element.setAttribute('offer', 'silver');
    await untilText(element, 'by bank transfer');
    expect(find(element, 'vezne-human-check')).to.equal(undefined);
  });

  it('opens the page of a new payment with one press after the session of an offer has ended', async () => {
    const {worker, element, redirects} = await open('', {
      faults: {bankPage: {kind: 'problem', code: 'session_expired'}},
    });
    await press(element, 'by bank transfer');
    await untilText(element, 'Start a new payment');
    expect(text(element)).to.not.contain('by bank transfer');
    await worker.fault('bankPage');
    await press(element, 'Start a new payment');
    await until('the redirect', () => redirects.length === 1);
    expect(text(element)).to.not.contain('This page timed out');
  });
});

import {expect} from '@open-wc/testing/pure';
import type {
  PaymentEvent,
  VeznePaymentStatus,
} from '../../../../widgets/transfer/payment-status/vezne-payment-status.ts';
import {isPayment} from '../../../../widgets/transfer/payment/payment-client.ts';
import {orderCode, PAYMENTS, session, transaction} from '../../stub-worker/answers.ts';
import {FakeTime} from '../../support/fake-time.ts';
import {announcements, find, findAll, record, show, text, until, untilText} from '../../support/page.ts';
import {chooseBank, press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const status = (worker: TestWorker, lang = 'en') =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="${lang}"></vezne-payment-status>`);

const SELLER = {
  name: 'Lamps Ltd',
  support_url: 'https://shop.example/help',
  support_email: 'help@shop.example',
  support_phone: '0850 000 00 00',
};

describe('vezne-payment-status', () => {
  const reference = 'Seller Lamps Ltd Order number P-1009 Copy Payment code 881200450017 Copy';
  const contacts = 'Contact the seller E-mail the seller Call the seller: 0850 000 00 00';
  const transfer = 'To Çınar Bankası 21 Nov 2026, 15:42 ₺149.90';
  const arrival = 'Transfers from the same bank or by FAST arrive instantly. EFT transfers arrive today.';
  // The words of every view are in the table of `payment-views.ts`. These states show all rows of the card.
  const expectedTexts = {
    waiting:
      'Waiting for your transfer This page updates automatically. You can close it without losing your code. ' +
      `${arrival} I left out the code`,
    paid: `₺149.90 Payment received Thank you. There’s nothing else you need to do. ${transfer} ${reference} Print Copy all Place another order`,
    late:
      'Your payment arrived after the deadline Your money has reached the seller, who will check your order. ' +
      `Don’t send it again. ${transfer} ${reference} ${contacts} Print Copy all`,
    twice:
      'Your payment arrived twice Your order is paid. Contact the seller for a refund of the second ₺149.90. ' +
      `${transfer} To Toros Bank 21 Nov 2026, 15:42 ₺149.90 ${reference} ${contacts} Print Copy all Place another order`,
    refunded:
      'Your payment was refunded The seller sent the money back. It can take a few working days ' +
      `to reach you. Refunded amount ₺149.90 ${reference} Contact the seller Print Copy all Start a new payment`,
    over:
      'The time to pay is over ₺100.00 received, ₺49.90 missing. Ask the seller before you send the rest. ' +
      `To Çınar Bankası 21 Nov 2026, 15:42 ₺100.00 ${reference} ${contacts} Print Copy all`,
    unclear:
      'Your payment wasn’t in Turkish lira It counts towards your order once the seller approves it. ' +
      'Don’t send it again; contact the seller if you have a question. ' +
      `To Çınar Bankası 21 Nov 2026, 15:42 $149.90 Order amount ₺149.90 ${reference} ${contacts} Print Copy all`,
    expired:
      'This payment has expired If you’ve sent the money, it will reach the seller: don’t send it again. If not, start a new payment. ' +
      `${reference} I haven’t paid, start a new payment Contact the seller`,
  } as const satisfies Partial<Record<keyof typeof PAYMENTS, string>>;

  it('in the last hour, says nothing of transfers from another bank, unless the money is sent', async () => {
    const pay_until = new Date(Date.now() + 3_000_000).toISOString();
    const worker = await TestWorker.start({code: orderCode({pay_until})});
    const element = show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);
    await chooseBank(element, 'Toros');
    await untilText(element, 'arrive instantly.');
    expect(text(element)).to.not.include('EFT');
    await press(element, 'I’ve sent the money');
    await untilText(element, arrival);
  });

  it('sets its state again after a page has made it equal to the server’s HTML', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = status(worker) as VeznePaymentStatus;
    const isComplete = () => [element.hasAttribute('complete'), element.matches(':state(complete)')];
    await untilText(element, 'Payment received');
    expect(isComplete()).to.deep.equal([true, true]);
    element.removeAttribute('complete');
    await element.updateComplete;
    expect(isComplete()).to.deep.equal([true, true]);
  });

  for (const [state, expected] of Object.entries(expectedTexts)) {
    it(`shows the words and rows of a payment that is ${state}`, async () => {
      const payment = PAYMENTS[state as keyof typeof PAYMENTS];
      const worker = await TestWorker.start({payment, code: orderCode({seller: SELLER})});
      const element = status(worker);
      await untilText(element, expected);
      expect(text(element)).to.equal(expected);
      // The report is one of the ways that the card offers.
      expect(!!find(element, '[slot=way] .forgotten')).to.equal(state === 'over' || state === 'expired');
    });
  }

  it('shows its texts in Turkish, with times in Turkish time', async () => {
    const payment = {...PAYMENTS.paid, transactions: [transaction('1149.90', {at: '2026-11-21T23:30:00Z'})]};
    const worker = await TestWorker.start({payment});
    const element = status(worker, 'tr');
    await untilText(element, 'Ödemeniz alındı');
    expect(text(element)).to.include('22 Kas 2026 02:30').and.to.include('₺1.149,90');
  });

  it('shows money that arrives while the page is open, and announces it once', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    const events = record<PaymentEvent>(document.body, 'vezne-payment');
    await untilText(element, 'Waiting for your transfer');
    await worker.send(PAYMENTS.partial);
    await untilText(element, '₺100.00 received, ₺49.90 to go');
    expect(announcements(element)).to.deep.equal(['₺100.00 received, ₺49.90 to go']);
    await worker.send({...PAYMENTS.partial, paid: '120.00', remaining: '29.90'});
    await untilText(element, '₺120.00 received, ₺29.90 to go');
    expect(announcements(element)).to.deep.equal(['₺120.00 received, ₺29.90 to go']);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    expect(announcements(element)).to.deep.equal(['Payment received']);
    expect(events.map((event) => event.payment.state)).to.deep.equal(['waiting', 'partial', 'partial', 'paid']);
  });

  it('tells the page each state once, however many elements show the payment; each element hears it', async () => {
    const worker = await TestWorker.start();
    const page = show('<div></div>');
    const heard = record<PaymentEvent>(document, 'vezne-payment');
    const add = () => {
      page.insertAdjacentHTML(
        'beforeend',
        `<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`,
      );
      return page.lastElementChild as HTMLElement;
    };
    const elements = [add(), add()];
    const own = elements.map((element) => record<PaymentEvent>(element, 'vezne-payment'));
    for (const element of elements) await untilText(element, 'Waiting for your transfer');
    await worker.send(PAYMENTS.paid);
    for (const element of elements) await untilText(element, 'Payment received');
    // Libraries that swap the page add the element again.
    page.textContent = '';
    const swapped = add();
    await untilText(swapped, 'Payment received');
    expect([heard, ...own].map((events) => events.map(({payment}) => payment.state))).to.deep.equal([
      ['waiting', 'paid'],
      ['waiting', 'paid'],
      ['waiting', 'paid'],
    ]);
    // The next view of an app has listeners of its own.
    swapped.remove();
    await Promise.resolve();
    await new Promise((resolve) => setTimeout(resolve));
    await untilText(add(), 'Payment received');
    expect(heard.map(({payment}) => payment.state)).to.deep.equal(['waiting', 'paid', 'paid']);
  });

  it('dispatches no event if a message contains no change', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    const events = record<PaymentEvent>(document.body, 'vezne-payment');
    await untilText(element, 'Waiting');
    await worker.send({...PAYMENTS.waiting, as_of: '2026-11-21T15:43:00+03:00'});
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
    expect(events).to.have.length(2);
  });

  it('gives a shopper who must ask the seller a reference to copy, and contacts that name the order', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.twice, code: orderCode({seller: SELLER})});
    const element = status(worker);
    await untilText(element, 'Call the seller');
    expect(findAll<HTMLAnchorElement>(element, '.contacts a').map(({href}) => href)).to.deep.equal([
      'https://shop.example/help',
      'mailto:help@shop.example?subject=Order%20P-1009',
      'tel:08500000000',
    ]);
    expect(text(element)).to.include('Place another order').and.not.include('Start a new payment');
  });

  it('marks the tab when money arrives, unless it is quiet, until it is sent back or the element removed', async () => {
    const before = 'Lamps';
    document.title = before;
    for (const quiet of ['', 'quiet']) {
      const worker = await TestWorker.start();
      const element = show(
        `<vezne-payment-status api="${worker.address}" offer="gold" lang="en" ${quiet}></vezne-payment-status>`,
      );
      await untilText(element, 'Waiting for your transfer');
      await worker.send(PAYMENTS.paid);
      await until('the card', () => find(element, 'h2'));
      expect(document.title).to.equal(quiet ? before : `✓ Paid · ${before}`);
      expect(text(element)).to.include('Place another order');
      await worker.send(PAYMENTS.refunded);
      await until('the title without a mark', () => document.title === before);
      await worker.send(PAYMENTS.paid);
      await until('the card', () => text(element).includes('Payment received'));
      element.remove();
      expect(document.title).to.equal(before);
    }
  });

  it('marks the tab once for two elements, not for late money, and vibrates only if the shopper has tapped', async () => {
    const before = document.title;
    for (const title of ['Lamps', '']) {
      document.title = title;
      const vibrations: number[] = [];
      const userActivation = {hasBeenActive: title !== ''};
      const vibrate = (ms: number) => vibrations.push(ms);
      Object.defineProperties(navigator, {
        userActivation: {value: userActivation, configurable: true},
        vibrate: {value: vibrate, configurable: true},
      });
      const worker = await TestWorker.start({payment: PAYMENTS.expired});
      const elements = [status(worker), status(worker)];
      for (const element of elements) await untilText(element, 'This payment has expired');
      await worker.send(PAYMENTS.late);
      for (const element of elements) await untilText(element, 'Your payment arrived after the deadline');
      expect(document.title).to.equal(title);
      await worker.send(PAYMENTS.completed);
      await until('the mark', () => document.title !== title);
      expect(document.title).to.equal(title ? '✓ Paid · Lamps' : '✓ Paid');
      expect(vibrations).to.deep.equal(title ? [200, 200] : []);
      for (const name of ['userActivation', 'vibrate']) Reflect.deleteProperty(navigator, name);
      elements[0]?.remove();
      expect(document.title).to.equal(title ? '✓ Paid · Lamps' : '✓ Paid');
      elements[1]?.remove();
      expect(document.title).to.equal(title);
      const reloaded = status(worker);
      await until('the mark after a reload', () => document.title !== title);
      reloaded.remove();
    }
    document.title = before;
  });

  it('starts another payment, and invites to a further one if the shopper waited only for the earlier one', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.expired});
    const element = status(worker);
    await untilText(element, 'This payment has expired');
    await worker.script({
      payment: PAYMENTS.paid,
      session: session({token: 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-two'}),
    });
    await press(element, 'I haven’t paid, start a new payment');
    await untilText(element, 'Payment received');
    await untilText(element, 'Place another order');
    expect((await worker.calls('live')).at(-1)?.authorization).to.equal(
      'vezne.v1, header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-two',
    );
  });

  it('names what each button copies without the groups on the screen, and confirms a copy for four seconds', async () => {
    const {clipboard} = navigator;
    const copied: string[] = [];
    const writeText = async (written: string) => void copied.push(written);
    Object.defineProperty(navigator, 'clipboard', {value: {writeText}, configurable: true});
    const time = new FakeTime();
    try {
      const order = '20261123094512';
      const element = status(await TestWorker.start({session: session({order}), payment: {...PAYMENTS.paid, order}}));
      await untilText(element, 'Payment code 881200450017 Copy');
      const groups = findAll(element, '.groups span').map((group) => text(group));
      expect(groups.join(' ')).to.equal('202611 230945 12 8812 0045 0017');
      const names = () =>
        findAll(element, '.row button, .ways button:nth-child(2)').map((each) => each.ariaLabel ?? text(each));
      const unpressed = ['Copy: Order number', 'Copy: Payment code', 'Copy all'];
      expect(names()).to.deep.equal(unpressed);
      for (const [index, label] of ['Copy', 'Copy all'].entries()) {
        await press(element, label);
        const expected = unpressed.with(2 * index, '✓ Copied').join();
        await until('the confirmation', () => names().join() === expected);
        expect(announcements(element)).to.include('Copied.');
        time.pass(4_000);
        await until('the button again', () => names().join() === unpressed.join());
        expect(announcements(element)).not.to.include('Copied.');
      }
      expect(copied[0]).to.equal('20261123094512');
      expect(copied[1]).to.include('Order number: 20261123094512');
    } finally {
      time.release();
      Object.defineProperty(navigator, 'clipboard', {value: clipboard, configurable: true});
    }
  });

  it('names the shop if the seller has no contacts, and opens the seller’s page with `noopener`', async () => {
    const element = status(await TestWorker.start({payment: PAYMENTS.late}));
    await untilText(element, 'Your payment arrived after the deadline');
    await untilText(element, 'You can reach the seller through the shop where you ordered.');
    expect(find(element, '.contacts')).to.equal(undefined);
    element.remove();
    const asked = status(await TestWorker.start({payment: PAYMENTS.late, code: orderCode({seller: SELLER})}));
    const link = await until('the contact', () => find<HTMLAnchorElement>(asked, '.contacts a'));
    expect([link.rel, link.textContent?.trim()]).to.deep.equal(['noopener', 'Contact the seller, opens in a new tab']);
  });

  it('offers printing only where the browser can print', async () => {
    const {print} = window;
    Reflect.deleteProperty(window, 'print');
    try {
      expect('print' in window).to.equal(false);
      const element = status(await TestWorker.start({payment: PAYMENTS.paid}));
      await untilText(element, 'Copy all');
      expect(text(element)).not.to.include('Print');
    } finally {
      Object.defineProperty(window, 'print', {value: print, configurable: true, writable: true});
    }
  });

  it('promises to keep the code only if the browser can store it, or if the session is the merchant’s', async () => {
    const {setItem} = Storage.prototype;
    Storage.prototype.setItem = () => {
      throw new DOMException('blocked', 'SecurityError');
    };
    try {
      for (const [source, isKept] of [
        ['offer="gold"', false],
        ['session="a.b.merchant-made-4"', true],
      ] as const) {
        const worker = await TestWorker.start();
        const element = show(
          `<div><vezne-payment-code api="${worker.address}" ${source} bank="cinar" lang="en"></vezne-payment-code>
            <vezne-payment-status api="${worker.address}" ${source} lang="en"></vezne-payment-status></div>`,
        );
        await untilText(element, 'Waiting for your transfer');
        await untilText(element, 'Copy the code');
        expect(text(element).includes('You can close it without losing your code.')).to.equal(isKept);
        expect(text(element).includes('Copy the details before you close the page.')).to.equal(!isKept);
      }
    } finally {
      Storage.prototype.setItem = setItem;
    }
  });

  it('shows no code for an order that was paid without one, and never requests a code', async () => {
    const payment = {...PAYMENTS.paid, order_code: null, transactions: [transaction('149.90', {bank: null})]};
    const worker = await TestWorker.start({payment, code: orderCode({seller: SELLER})});
    const element = status(worker);
    await untilText(element, 'Seller Lamps Ltd Order number P-1009 Copy Print');
    expect(text(element)).not.to.include('Payment code');
    expect(await worker.calls('code')).to.deep.equal([]);
  });

  it('does not accept the name of an inherited property as a state', () => {
    expect(isPayment({...PAYMENTS.waiting, state: 'constructor'})).to.equal(false);
    expect(isPayment(PAYMENTS.waiting)).to.equal(true);
  });
});

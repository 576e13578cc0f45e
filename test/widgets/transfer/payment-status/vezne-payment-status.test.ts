import {expect} from '@open-wc/testing';
import type {PaymentEvent} from '../../../../widgets/transfer/payment-status/vezne-payment-status.ts';
import {isPayment} from '../../../../widgets/transfer/payment/payment-client.ts';
import {PAYMENTS, session, transaction} from '../../stub-worker/answers.ts';
import {announcements, find, findAll, press, record, show, text, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

const status = (worker: TestWorker, lang = 'en') =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="${lang}"></vezne-payment-status>`);

describe('vezne-payment-status', () => {
  const expectedTexts = {
    waiting:
      'Waiting for your transfer This page updates by itself. You may close it: your code will not be lost. ' +
      'At once from the same bank. At once by FAST from another bank.',
    partial:
      '₺100.00 arrived, ₺49.90 to go Send the rest with the same code. At once from the same bank. At once by FAST from another bank. Çınar Bankası 21 Nov 2026, 15:42 ₺100.00',
    paid:
      'Your payment has arrived Thank you. There is nothing else you need to do. ' +
      'Çınar Bankası 21 Nov 2026, 15:42 ₺149.90 Start a new payment',
    late:
      'Your payment arrived late Your money is here. The seller will look into your order; do not send it again. ' +
      'Çınar Bankası 21 Nov 2026, 15:42 ₺149.90 Start a new payment',
    overpaid:
      'You paid more than needed Your order is paid, and ₺50.10 more arrived. Contact the seller to get it back. ' +
      'Çınar Bankası 21 Nov 2026, 15:42 ₺150.00 Toros Bank 21 Nov 2026, 15:42 ₺50.00 Start a new payment',
    twice:
      'Your payment arrived twice Your order is paid. Ask the seller to refund the second ₺149.90. ' +
      'Çınar Bankası 21 Nov 2026, 15:42 ₺149.90 Toros Bank 21 Nov 2026, 15:42 ₺149.90 Start a new payment',
    completed:
      'Your order is confirmed There is nothing else you need to do. ' +
      'Çınar Bankası 21 Nov 2026, 15:42 ₺149.90 Start a new payment',
    refunded:
      'Your payment was refunded The money goes back to the account it came from. This may take a few working days. ' +
      'Start a new payment',
    unclear:
      'Money arrived that does not count by itself The seller will look into it; do not send it again. ' +
      'Çınar Bankası 21 Nov 2026, 15:42 $149.90',
    expired:
      'The time to pay is over Already sent it? It will still reach us. If not, start a new payment. Start a new payment',
  } as const satisfies Record<keyof typeof PAYMENTS, string>;

  for (const [state, expected] of Object.entries(expectedTexts)) {
    it(`shows the texts of a payment that is ${state}`, async () => {
      const worker = await TestWorker.start({payment: PAYMENTS[state as keyof typeof PAYMENTS]});
      const element = status(worker);
      await untilText(element, expected);
      expect(text(element)).to.equal(expected);
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
    await untilText(element, '₺100.00 arrived, ₺49.90 to go');
    expect(announcements(element)).to.deep.equal(['₺100.00 arrived, ₺49.90 to go']);
    await worker.send({...PAYMENTS.partial, paid: '120.00', remaining: '29.90'});
    await untilText(element, '₺120.00 arrived, ₺29.90 to go');
    expect(announcements(element)).to.deep.equal(['₺120.00 arrived, ₺29.90 to go']);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
    expect(announcements(element)).to.deep.equal(['Your payment has arrived']);
    expect(events.map((event) => event.payment.state)).to.deep.equal(['waiting', 'partial', 'partial', 'paid']);
  });

  it('shows a second transfer, the seller’s confirmation and a refund as they happen', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = status(worker);
    await untilText(element, 'Your payment has arrived');
    await worker.send(PAYMENTS.twice);
    await untilText(element, 'Your payment arrived twice');
    await worker.send(PAYMENTS.completed);
    await untilText(element, 'Your order is confirmed');
    await worker.send(PAYMENTS.refunded);
    await untilText(element, 'Your payment was refunded');
  });

  it('dispatches no event if a message contains no change', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    const events = record<PaymentEvent>(document.body, 'vezne-payment');
    await untilText(element, 'Waiting');
    await worker.send({...PAYMENTS.waiting, as_of: '2026-11-21T15:43:00+03:00'});
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
    expect(events).to.have.length(2);
  });

  it('offers no new payment for a session that the merchant’s server created', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = show(
      `<vezne-payment-status api="${worker.address}" session="a.b.merchant-made-1" lang="en"></vezne-payment-status>`,
    );
    await untilText(element, 'Your payment has arrived');
    expect(findAll(element, 'button')).to.deep.equal([]);
    expect(await worker.calls('session')).to.deep.equal([]);
  });

  it('does not accept the name of an inherited property as a state', () => {
    expect(isPayment({...PAYMENTS.waiting, state: 'constructor'})).to.equal(false);
    expect(isPayment(PAYMENTS.waiting)).to.equal(true);
  });

  it('lets the shopper start another payment after this one', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.expired});
    const element = status(worker);
    await untilText(element, 'The time to pay is over');
    await worker.script({payment: PAYMENTS.waiting, session: session({token: 'header.public.signature-two'})});
    await press(element, 'Start a new payment');
    await untilText(element, 'Waiting for your transfer');
    expect((await worker.calls('live')).at(-1)?.authorization).to.equal('vezne.v1, header.public.signature-two');
    expect(find(element, '.final')).to.equal(undefined);
  });
});

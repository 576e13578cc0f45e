import {expect} from '@open-wc/testing';
import type {PaymentEvent} from '../../widgets/events/payment-event.ts';
import {isPayment} from '../../widgets/internal/payment-answers.ts';
import {PAYMENTS, session, transaction} from './stub/answers.ts';
import {announced, find, findAll, press, record, show, text, until, untilText} from './support/page.ts';
import {HeldTime, leaveTab} from './support/time.ts';
import {TestWorker} from './support/worker.ts';

const status = (worker: TestWorker, lang = 'en') =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="${lang}"></vezne-payment-status>`);

describe('vezne-payment-status', () => {
  const told = {
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
    expired:
      'The time to pay is over If you have sent the money it still arrives. If not, start a new payment. Start a new payment',
  } as const satisfies Record<keyof typeof PAYMENTS, string>;

  for (const [state, words] of Object.entries(told)) {
    it(`tells of a payment that is ${state}`, async () => {
      const worker = await TestWorker.begin({payment: PAYMENTS[state as keyof typeof PAYMENTS]});
      const element = status(worker);
      await untilText(element, words);
      expect(text(element)).to.equal(words);
    });
  }

  it('tells in Turkish, with the time of Turkey', async () => {
    const payment = {...PAYMENTS.paid, transactions: [transaction('1149.90', {at: '2026-11-21T23:30:00Z'})]};
    const worker = await TestWorker.begin({payment});
    const element = status(worker, 'tr');
    await untilText(element, 'Ödemeniz alındı');
    expect(text(element)).to.include('22 Kas 2026 02:30').and.to.include('₺1.149,90');
  });

  it('shows money that arrives while the page is open, and says so once', async () => {
    const worker = await TestWorker.begin();
    const element = status(worker);
    const events = record<PaymentEvent>(document.body, 'vezne-payment');
    await untilText(element, 'Waiting for your transfer');
    await worker.send(PAYMENTS.partial);
    await untilText(element, '₺100.00 arrived, ₺49.90 to go');
    expect(announced(element)).to.deep.equal(['₺100.00 arrived, ₺49.90 to go']);
    await worker.send({...PAYMENTS.partial, paid: '120.00', remaining: '29.90'});
    await untilText(element, '₺120.00 arrived, ₺29.90 to go');
    expect(announced(element)).to.deep.equal(['₺120.00 arrived, ₺29.90 to go']);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
    expect(announced(element)).to.deep.equal(['Your payment has arrived']);
    expect(events.map((event) => event.payment.state)).to.deep.equal(['waiting', 'partial', 'partial', 'paid']);
  });

  it('tells of a second transfer, of the seller’s confirmation and of a refund as they come', async () => {
    const worker = await TestWorker.begin({payment: PAYMENTS.paid});
    const element = status(worker);
    await untilText(element, 'Your payment has arrived');
    await worker.send(PAYMENTS.twice);
    await untilText(element, 'Your payment arrived twice');
    await worker.send(PAYMENTS.completed);
    await untilText(element, 'Your order is confirmed');
    await worker.send(PAYMENTS.refunded);
    await untilText(element, 'Your payment was refunded');
  });

  it('says nothing to the page when a message brings nothing new', async () => {
    const worker = await TestWorker.begin();
    const element = status(worker);
    const events = record<PaymentEvent>(document.body, 'vezne-payment');
    await untilText(element, 'Waiting');
    await worker.send({...PAYMENTS.waiting, as_of: '2026-11-21T15:43:00+03:00'});
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
    expect(events).to.have.length(2);
  });

  it('carries the session in the socket’s protocols and in no address', async () => {
    const worker = await TestWorker.begin();
    await untilText(status(worker), 'Waiting');
    expect(await worker.calls('live')).to.deep.equal([
      {operation: 'live', authorization: 'vezne.v1, header.public.signature-one', body: null},
    ]);
    expect(await worker.calls('payment')).to.deep.equal([]);
  });

  it('shares one socket among several elements', async () => {
    const worker = await TestWorker.begin();
    const elements = [status(worker), status(worker)];
    for (const element of elements) await untilText(element, 'Waiting');
    expect(await worker.sockets()).to.equal(1);
  });

  it('hangs up when it leaves the page, and comes back with it', async () => {
    const worker = await TestWorker.begin();
    const element = status(worker);
    await untilText(element, 'Waiting');
    const place = element.parentElement;
    element.remove();
    await until('no socket', async () => (await worker.sockets()) === 0);
    await worker.script({payment: PAYMENTS.paid});
    place?.append(element);
    await untilText(element, 'Your payment has arrived');
  });

  it('offers no new payment where only the merchant’s server can begin one', async () => {
    const worker = await TestWorker.begin({payment: PAYMENTS.paid});
    const element = show(`<vezne-payment-status api="${worker.address}" session="a.b.merchant-made-1" lang="en"></vezne-payment-status>`);
    await untilText(element, 'Your payment has arrived');
    expect(findAll(element, 'button')).to.deep.equal([]);
    expect(await worker.calls('session')).to.deep.equal([]);
  });

  describe('where sockets are blocked', () => {
    let time: HeldTime;
    beforeEach(() => {
      time = new HeldTime();
    });
    afterEach(() => time.release());

    it('asks instead, ever more slowly', async () => {
      const worker = await TestWorker.begin({sockets: 'refused'});
      const element = status(worker);
      await untilText(element, 'Waiting');
      const askedAt: number[] = [time.nowMs];
      while (askedAt.length < 12) {
        time.elapse();
        // The socket is tried again in between; only questions count here.
        await until('a wait', () => time.delays.length === 2);
        if ((await worker.calls('payment')).length > askedAt.length) askedAt.push(time.nowMs);
      }
      const pauses = askedAt.slice(1).map((at, index) => at - (askedAt[index] ?? 0));
      expect(pauses[0]).to.be.within(2_400, 3_600);
      expect(pauses.at(-1)).to.be.within(12_000, 18_000);
    });

    it('shows what arrived at the next question', async () => {
      const worker = await TestWorker.begin({sockets: 'refused'});
      const element = status(worker);
      await untilText(element, 'Waiting');
      await worker.script({payment: PAYMENTS.paid});
      await until('the answer', () => {
        if (time.delays.length > 0) time.elapse();
        return text(element).includes('Your payment has arrived');
      });
      await until('silence', () => time.delays.length === 0);
    });

    it('asks when a socket opens and then says nothing', async () => {
      const worker = await TestWorker.begin({sockets: 'silent'});
      const element = status(worker);
      await until('the socket', async () => (await worker.sockets()) === 1);
      time.elapse();
      await untilText(element, 'Waiting');
      expect(await worker.calls('payment')).to.have.length(1);
    });

    it('does not ask while the page is hidden, and asks when the shopper returns', async () => {
      const worker = await TestWorker.begin({sockets: 'refused'});
      const element = status(worker);
      await untilText(element, 'Waiting');
      const comeBack = leaveTab();
      await worker.script({payment: PAYMENTS.paid});
      const before = (await worker.calls()).length;
      while (time.delays.length > 0) time.elapse();
      expect(await worker.calls()).to.have.length(before);
      comeBack();
      await untilText(element, 'Your payment has arrived');
    });

    it('does not hammer a Worker that is down, says so, and asks now when told to', async () => {
      const worker = await TestWorker.begin({sockets: 'refused'});
      const element = status(worker);
      const errors = record<Event & {code: string; retryable: boolean}>(element, 'vezne-error');
      await untilText(element, 'Waiting');
      await worker.fault('payment', {kind: 'reset'});
      const waits: number[] = [];
      while (waits.length < 5) {
        const before = errors.length;
        await until('a failure', () => {
          if (errors.length > before) return true;
          if (time.delays.length > 0) time.elapse();
          return false;
        });
        waits.push(Math.max(...time.delays));
      }
      expect(waits.at(-1)).to.be.greaterThan(20_000);
      expect([errors[0]?.code, errors[0]?.retryable]).to.deep.equal(['network', true]);
      await untilText(element, 'There is no connection; we keep trying.');
      await worker.fault('payment');
      await worker.script({payment: PAYMENTS.paid});
      await press(element, 'Check now');
      await untilText(element, 'Your payment has arrived');
    });

    it('waits as long as the Worker asks it to', async () => {
      const worker = await TestWorker.begin({sockets: 'refused'});
      const element = status(worker);
      await untilText(element, 'Waiting');
      await worker.fault('payment', {kind: 'problem', code: 'rate_limited', retryAfter: 240});
      await until('the refusal', () => {
        if (Math.max(0, ...time.delays) >= 240_000) return true;
        if (time.delays.length > 0) time.elapse();
        return false;
      });
      const before = (await worker.calls('payment')).length;
      dispatchEvent(new Event('online'));
      expect(await worker.calls('payment')).to.have.length(before);
      expect(text(element)).to.include('Waiting for your transfer');
    });
  });

  it('comes back by itself when the socket drops, with what was missed', async () => {
    const worker = await TestWorker.begin();
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.script({payment: PAYMENTS.partial});
    await worker.drop();
    await untilText(element, '₺100.00 arrived');
    await until('a new socket', async () => (await worker.sockets()) === 1);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
  });

  it('asks again when told to, after a refusal that ended the watch', async () => {
    const worker = await TestWorker.begin({sockets: 'refused', faults: {payment: {kind: 'problem', code: 'platform_refused'}}});
    const element = status(worker);
    await untilText(element, 'Error code: platform_refused');
    await worker.fault('payment');
    await press(element, 'Try again');
    await untilText(element, 'Waiting for your transfer');
  });

  it('tries a socket again when there was no session at first', async () => {
    const time = new HeldTime();
    try {
      const worker = await TestWorker.begin({faults: {session: {kind: 'reset'}}});
      const element = status(worker);
      await untilText(element, 'cannot be reached');
      await worker.fault('session');
      await until('a socket', async () => {
        if (time.delays.length > 0) time.elapse();
        return (await worker.sockets()) === 1;
      });
      await untilText(element, 'Waiting for your transfer');
    } finally {
      time.release();
    }
  });

  it('takes no name that every object has for a state', () => {
    expect(isPayment({...PAYMENTS.waiting, state: 'constructor'})).to.equal(false);
    expect(isPayment(PAYMENTS.waiting)).to.equal(true);
  });

  it('asks when a message cannot be understood', async () => {
    const worker = await TestWorker.begin();
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.script({payment: PAYMENTS.paid});
    await worker.sendRaw('{"state": "abducted"}');
    await untilText(element, 'Your payment has arrived');
  });

  const returns: Readonly<Record<string, () => Event>> = {
    'when the network returns': () => new Event('online'),
    'when the shopper goes back to the page': () => new PageTransitionEvent('pageshow', {persisted: true}),
  };
  for (const [when, sign] of Object.entries(returns)) {
    it(`asks at once ${when}`, async () => {
      const worker = await TestWorker.begin();
      const element = status(worker);
      await untilText(element, 'Waiting');
      await worker.script({payment: PAYMENTS.paid});
      dispatchEvent(sign());
      await untilText(element, 'Your payment has arrived');
    });
  }

  it('believes the Worker, not a device whose clock is a year off', async () => {
    const {now} = Date;
    Date.now = () => now() + 366 * 24 * 60 * 60 * 1000;
    try {
      const worker = await TestWorker.begin();
      const element = status(worker);
      await untilText(element, 'Waiting for your transfer');
    } finally {
      Date.now = now;
    }
  });

  it('begins another payment after this one', async () => {
    const worker = await TestWorker.begin({payment: PAYMENTS.expired});
    const element = status(worker);
    await untilText(element, 'The time to pay is over');
    await worker.script({payment: PAYMENTS.waiting, session: session({token: 'header.public.signature-two'})});
    await press(element, 'Start a new payment');
    await untilText(element, 'Waiting for your transfer');
    expect((await worker.calls('live')).at(-1)?.authorization).to.equal('vezne.v1, header.public.signature-two');
    expect(find(element, '.final')).to.equal(undefined);
  });
});


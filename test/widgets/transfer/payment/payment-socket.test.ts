/** How a page reads the payment through a socket, also after the shopper or the network was away for some time. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS} from '../../stub-worker/answers.ts';
import {FakeTime, leaveTab} from '../../support/fake-time.ts';
import {record, show, text, until, untilElapsed, untilText} from '../../support/page.ts';
import {press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const status = (worker: TestWorker) =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`);

describe('a payment status with a socket', () => {
  it('sends the session in the protocols of the socket, not in its URL', async () => {
    const worker = await TestWorker.start();
    await untilText(status(worker), 'Waiting');
    expect(await worker.calls('live')).to.deep.equal([
      {operation: 'live', authorization: 'vezne.v1, header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one', body: null},
    ]);
    expect(await worker.calls('payment')).to.deep.equal([]);
  });

  it('shares one socket among several elements', async () => {
    const worker = await TestWorker.start();
    const elements = [status(worker), status(worker)];
    for (const element of elements) await untilText(element, 'Waiting');
    expect(await worker.sockets()).to.equal(1);
  });

  it('closes its socket when it is removed from the page, and opens a new one when it is added again', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    await untilText(element, 'Waiting');
    const parent = element.parentElement;
    element.remove();
    await until('the socket is closed', async () => (await worker.sockets()) === 0);
    await worker.script({payment: PAYMENTS.paid});
    parent?.append(element);
    await untilText(element, 'Payment received');
  });

  it('opens another socket after the first one was lost, and shows what has changed meanwhile', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.script({payment: PAYMENTS.partial});
    await worker.dropSockets();
    await untilText(element, '₺100.00 received');
    await until('a new socket', async () => (await worker.sockets()) === 1);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Payment received');
  });

  it('never goes back to an older payment, or to one of another order', async () => {
    for (const older of [
      {...PAYMENTS.waiting, revision: 4},
      {...PAYMENTS.waiting, revision: 9, order: 'another'},
    ]) {
      const worker = await TestWorker.start({payment: {...PAYMENTS.partial, revision: 5}});
      const element = status(worker);
      await untilText(element, '₺100.00 received');
      const payments = record<Event & {payment: {state: string}}>(element, 'vezne-payment');
      await worker.script({faults: {payment: {kind: 'held'}}});
      await worker.send(older);
      await until('a read', async () => (await worker.calls('payment')).length);
      await worker.release();
      await worker.script({payment: {...PAYMENTS.paid, revision: 6}});
      await worker.send({...PAYMENTS.paid, revision: 6});
      await untilText(element, 'Payment received');
      expect(payments.map(({payment}) => payment.state)).to.deep.equal(['paid']);
    }
  });

  it('shows nothing of another order than that of its session, although the answer repeats the request', async () => {
    for (const sockets of ['open', 'refused'] as const) {
      const time = new FakeTime();
      try {
        const worker = await TestWorker.start({sockets, payment: {...PAYMENTS.partial, order: 'another', revision: 9}});
        const element = status(worker);
        const payments = record(element, 'vezne-payment');
        await untilElapsed(time, 'two reads', async () => (await worker.calls('payment')).length > 1);
        expect(text(element)).not.to.include('₺');
        await worker.script({payment: PAYMENTS.waiting});
        await untilElapsed(time, 'the status', () => text(element).includes('Waiting for your transfer'));
        expect(payments).to.have.length(1);
      } finally {
        time.release();
      }
    }
  });

  it('reads the payment again when the shopper retries after a refusal', async () => {
    const worker = await TestWorker.start({
      sockets: 'refused',
      faults: {payment: {kind: 'problem', code: 'platform_refused'}},
    });
    const element = status(worker);
    await untilText(element, 'Error code: platform_refused');
    await worker.fault('payment');
    await press(element, 'Try again');
    await untilText(element, 'Waiting for your transfer');
  });

  it('retries the socket after the session could not be opened', async () => {
    const time = new FakeTime();
    try {
      const worker = await TestWorker.start({faults: {session: {kind: 'reset'}}});
      const element = status(worker);
      await untilText(element, 'We can’t reach');
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

  it('reads the payment with a request after an invalid message', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.script({payment: PAYMENTS.paid});
    await worker.sendRaw('{"state": "abducted"}');
    await untilText(element, 'Payment received');
  });

  const returns: Readonly<Record<string, () => Event>> = {
    'when the network returns': () => new Event('online'),
    'when the shopper goes back to the page': () => new PageTransitionEvent('pageshow', {persisted: true}),
  };
  for (const [when, returnEvent] of Object.entries(returns)) {
    it(`reads the payment immediately ${when}`, async () => {
      const worker = await TestWorker.start();
      const element = status(worker);
      await untilText(element, 'Waiting');
      await worker.script({payment: PAYMENTS.paid});
      dispatchEvent(returnEvent());
      await untilText(element, 'Payment received');
    });
  }

  describe('that may be dead', () => {
    let time: FakeTime;
    beforeEach(() => {
      time = new FakeTime();
    });
    afterEach(() => time.release());

    /** Lets time pass until the page opens a second socket. */
    const anotherSocket = (worker: TestWorker) =>
      until('another socket', async () => {
        if ((await worker.calls('live')).length > 1) return true;
        if (time.delays.length > 0) time.elapse();
        return false;
      });

    it('pings the socket regularly, and keeps it while the pings are answered', async () => {
      const worker = await TestWorker.start();
      const element = status(worker);
      await untilText(element, 'Waiting');
      for (let ping = 0; ping < 3; ping++) {
        expect(Math.min(...time.delays)).to.equal(45_000);
        time.elapse();
        expect(time.delays).to.include(4_000);
        await until('the pong', () => !time.delays.includes(4_000));
      }
      expect(await worker.calls()).to.deep.equal([
        ...(await worker.calls('session')),
        ...(await worker.calls('live')),
        ...(await worker.calls('banks')),
      ]);
      expect(await worker.calls('live')).to.have.length(1);
    });

    it('replaces a socket if a ping is not answered, and shows the payment from the new socket', async () => {
      const worker = await TestWorker.start();
      const element = status(worker);
      await untilText(element, 'Waiting');
      await worker.script({pong: false, payment: PAYMENTS.paid});
      await anotherSocket(worker);
      await untilText(element, 'Payment received');
    });

    for (const [when, comeBack] of Object.entries({
      'the shopper returns': leaveTab,
      'the network returns': () => () => dispatchEvent(new Event('online')),
    })) {
      it(`pings the socket immediately when ${when}`, async () => {
        const worker = await TestWorker.start();
        const element = status(worker);
        await untilText(element, 'Waiting');
        const back = comeBack();
        await worker.script({pong: false});
        back();
        await until('the answer', async () => (await worker.calls('payment')).length === 1);
        expect(Math.min(...time.delays)).to.equal(4_000);
        time.elapse();
        await until('another socket', async () => {
          if ((await worker.calls('live')).length > 1) return true;
          if (Math.min(...time.delays) < 2_000) time.elapse();
          return false;
        });
        await worker.send(PAYMENTS.paid);
        await untilText(element, 'Payment received');
      });
    }
  });

  it('still shows a paid payment after its session has ended', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = status(worker);
    const errors = record(element, 'vezne-error');
    await untilText(element, 'Payment received');
    await worker.script({token: 'another', sockets: 'refused'});
    await worker.dropSockets();
    dispatchEvent(new Event('online'));
    await until('the request', async () => (await worker.calls('payment')).length === 1);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(text(element)).to.include('Payment received');
    expect(errors).to.deep.equal([]);
  });
});

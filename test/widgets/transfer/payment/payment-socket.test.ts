/** How a page learns of the payment by its socket, and after it was away. */

import {expect} from '@open-wc/testing';
import {PAYMENTS} from '../../stub-worker/answers.ts';
import {FakeTime, leaveTab} from '../../support/fake-time.ts';
import {press, record, show, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

const status = (worker: TestWorker) =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`);

describe('a payment that is followed', () => {
  it('carries the session in the socket’s protocols and in no address', async () => {
    const worker = await TestWorker.start();
    await untilText(status(worker), 'Waiting');
    expect(await worker.calls('live')).to.deep.equal([
      {operation: 'live', authorization: 'vezne.v1, header.public.signature-one', body: null},
    ]);
    expect(await worker.calls('payment')).to.deep.equal([]);
  });

  it('shares one socket among several elements', async () => {
    const worker = await TestWorker.start();
    const elements = [status(worker), status(worker)];
    for (const element of elements) await untilText(element, 'Waiting');
    expect(await worker.sockets()).to.equal(1);
  });

  it('hangs up when it leaves the page, and comes back with it', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    await untilText(element, 'Waiting');
    const place = element.parentElement;
    element.remove();
    await until('no socket', async () => (await worker.sockets()) === 0);
    await worker.script({payment: PAYMENTS.paid});
    place?.append(element);
    await untilText(element, 'Your payment has arrived');
  });

  it('comes back by itself when the socket drops, with what was missed', async () => {
    const worker = await TestWorker.start();
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.script({payment: PAYMENTS.partial});
    await worker.dropSockets();
    await untilText(element, '₺100.00 arrived');
    await until('a new socket', async () => (await worker.sockets()) === 1);
    await worker.send(PAYMENTS.paid);
    await untilText(element, 'Your payment has arrived');
  });

  it('asks again when told to, after a refusal that ended the watch', async () => {
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

  it('tries a socket again when there was no session at first', async () => {
    const time = new FakeTime();
    try {
      const worker = await TestWorker.start({faults: {session: {kind: 'reset'}}});
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

  it('asks when a message cannot be understood', async () => {
    const worker = await TestWorker.start();
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
      const worker = await TestWorker.start();
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
      const worker = await TestWorker.start();
      const element = status(worker);
      await untilText(element, 'Waiting for your transfer');
    } finally {
      Date.now = now;
    }
  });

  describe('by a socket that may be dead', () => {
    let time: FakeTime;
    beforeEach(() => {
      time = new FakeTime();
    });
    afterEach(() => time.release());

    /** Lets time pass until a second socket is there. */
    const anotherSocket = (worker: TestWorker) =>
      until('another socket', async () => {
        if ((await worker.calls('live')).length > 1) return true;
        if (time.delays.length > 0) time.elapse();
        return false;
      });

    it('asks it now and then, and keeps it while it answers', async () => {
      const worker = await TestWorker.start();
      const element = status(worker);
      await untilText(element, 'Waiting');
      for (let turn = 0; turn < 3; turn++) {
        expect(Math.min(...time.delays)).to.equal(45_000);
        time.elapse();
        expect(time.delays).to.include(4_000);
        await until('the answer', () => !time.delays.includes(4_000));
      }
      expect(await worker.calls()).to.deep.equal([
        ...(await worker.calls('session')),
        ...(await worker.calls('live')),
        ...(await worker.calls('banks')),
      ]);
      expect(await worker.calls('live')).to.have.length(1);
    });

    it('leaves one that does not answer, and hears of the payment by another', async () => {
      const worker = await TestWorker.start();
      const element = status(worker);
      await untilText(element, 'Waiting');
      await worker.script({pong: false, payment: PAYMENTS.paid});
      await anotherSocket(worker);
      await untilText(element, 'Your payment has arrived');
    });

    for (const [when, comeBack] of Object.entries({
      'the shopper returns': leaveTab,
      'the network does': () => () => dispatchEvent(new Event('online')),
    })) {
      it(`looks at once whether it lives when ${when}`, async () => {
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
        await untilText(element, 'Your payment has arrived');
      });
    }
  });

  it('stays known when its session has ended', async () => {
    const worker = await TestWorker.start({payment: PAYMENTS.paid});
    const element = status(worker);
    const errors = record(element, 'vezne-error');
    await untilText(element, 'Your payment has arrived');
    await worker.script({token: 'another', sockets: 'refused'});
    await worker.dropSockets();
    dispatchEvent(new Event('online'));
    await until('the question', async () => (await worker.calls('payment')).length === 1);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    expect(text(element)).to.include('Your payment has arrived');
    expect(errors).to.deep.equal([]);
  });
});

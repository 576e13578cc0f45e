/** How a page learns of the payment where no socket can be had: it asks, ever more slowly. */

import {expect} from '@open-wc/testing';
import {PAYMENTS} from '../../stub-worker/answers.ts';
import {FakeTime, leaveTab} from '../../support/fake-time.ts';
import {press, record, show, text, until, untilText} from '../../support/page.ts';
import {TestWorker} from '../../support/test-worker.ts';

const status = (worker: TestWorker) =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`);

describe('a payment that is followed where sockets are blocked', () => {
  let time: FakeTime;
  beforeEach(() => {
    time = new FakeTime();
  });
  afterEach(() => time.release());

  /** A page that was told to ask again in four minutes, and how often it had asked by then. */
  async function askedToWait(): Promise<{worker: TestWorker; element: HTMLElement; before: number}> {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.fault('payment', {kind: 'problem', code: 'rate_limited', retryAfter: 240});
    await until('the refusal', () => {
      if (Math.max(0, ...time.delays) >= 240_000) return true;
      if (time.delays.length > 0) time.elapse();
      return false;
    });
    const before = (await worker.calls('payment')).length;
    return {worker, element, before};
  }

  it('asks instead, ever more slowly', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
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
    const worker = await TestWorker.start({sockets: 'refused'});
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
    const worker = await TestWorker.start({sockets: 'silent'});
    const element = status(worker);
    await until('the socket', async () => (await worker.sockets()) === 1);
    time.elapse();
    await untilText(element, 'Waiting');
    expect(await worker.calls('payment')).to.have.length(1);
  });

  it('does not ask while the page is hidden, and asks when the shopper returns', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    await untilText(element, 'Waiting');
    await until('that nothing is under way', () => time.delays.length === 2);
    const comeBack = leaveTab();
    await worker.script({payment: PAYMENTS.paid});
    const before = (await worker.calls()).length;
    while (time.delays.length > 0) time.elapse();
    expect(await worker.calls()).to.have.length(before);
    comeBack();
    await untilText(element, 'Your payment has arrived');
  });

  it('does not hammer a Worker that is down, says so, and asks now when told to', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
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
    // The longest pause between two questions, less its spread.
    expect(waits.at(-1)).to.be.greaterThan(11_000);
    expect([errors[0]?.code, errors[0]?.retryable]).to.deep.equal(['network', true]);
    await untilText(element, 'There is no connection; we keep trying.');
    await worker.fault('payment');
    await worker.script({payment: PAYMENTS.paid});
    await press(element, 'Check now');
    await untilText(element, 'Your payment has arrived');
  });

  it('waits as long as the Worker asks it to', async () => {
    const {worker, element, before} = await askedToWait();
    dispatchEvent(new Event('online'));
    expect(await worker.calls('payment')).to.have.length(before);
    expect(text(element)).to.include('Waiting for your transfer');
  });

  it('is followed slowly after its time is over, also where sockets are blocked: the money may be on its way', async () => {
    const worker = await TestWorker.start({sockets: 'refused', payment: PAYMENTS.expired});
    const element = status(worker);
    await untilText(element, 'The time to pay is over');
    await worker.script({payment: PAYMENTS.late});
    const askedAt = (await worker.calls('payment')).length;
    const fromMs = time.nowMs;
    await until('the answer', async () => {
      if ((await worker.calls('payment')).length > askedAt) return true;
      if (time.delays.length > 0) time.elapse();
      return false;
    });
    expect(time.nowMs - fromMs).to.be.greaterThan(55_000);
    await untilText(element, 'Your payment arrived late');
  });

  it('is still asked about where a timer rings a moment early', async () => {
    const {worker, element, before} = await askedToWait();
    while (Math.min(...time.delays) < 200_000) time.elapse();
    time.fireEarly();
    expect(await worker.calls('payment')).to.have.length(before);
    await worker.fault('payment');
    await worker.script({payment: PAYMENTS.paid});
    await until('the answer', () => {
      if (time.delays.length > 0) time.elapse();
      return text(element).includes('Your payment has arrived');
    });
  });
});

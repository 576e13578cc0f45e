/** How a page reads the payment by polling, if sockets are blocked. */

import {expect} from '@open-wc/testing/pure';
import {PAYMENTS} from '../../stub-worker/answers.ts';
import {FakeTime, leaveTab} from '../../support/fake-time.ts';
import {record, show, text, until, untilText} from '../../support/page.ts';
import {press} from '../../support/shopper.ts';
import {TestWorker} from '../../support/test-worker.ts';

const status = (worker: TestWorker) =>
  show(`<vezne-payment-status api="${worker.address}" offer="gold" lang="en"></vezne-payment-status>`);

describe('a payment status without sockets', () => {
  let time: FakeTime;
  beforeEach(() => {
    time = new FakeTime();
  });
  afterEach(() => time.release());

  /** Opens a page that must not poll for four minutes. @returns `requestCount`: the number of its requests so far. */
  async function openRateLimited(): Promise<{worker: TestWorker; element: HTMLElement; requestCount: number}> {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.fault('payment', {kind: 'problem', code: 'rate_limited', retryAfter: 240});
    await until('the refusal', () => {
      if (Math.max(0, ...time.delays) >= 240_000) return true;
      if (time.delays.length > 0) time.elapse();
      return false;
    });
    const requestCount = (await worker.calls('payment')).length;
    return {worker, element, requestCount};
  }

  it('polls with a growing delay', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    await untilText(element, 'Waiting');
    const polledAt: number[] = [time.nowMs];
    while (polledAt.length < 12) {
      time.elapse();
      // Between two polls, the page retries the socket. Only the polls count here.
      await until('the next timers', () => time.delays.length === 2);
      if ((await worker.calls('payment')).length > polledAt.length) polledAt.push(time.nowMs);
    }
    const delays = polledAt.slice(1).map((at, index) => at - (polledAt[index] ?? 0));
    expect(delays[0]).to.be.within(2_400, 3_600);
    expect(delays.at(-1)).to.be.within(12_000, 18_000);
  });

  it('shows after the next poll that money has arrived, and stops polling', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    await untilText(element, 'Waiting');
    await worker.script({payment: PAYMENTS.paid});
    await until('the answer', () => {
      if (time.delays.length > 0) time.elapse();
      return text(element).includes('Payment received');
    });
    await until('polling has stopped', () => time.delays.length === 0);
  });

  it('keeps polling if a socket opens but sends nothing', async () => {
    const worker = await TestWorker.start({sockets: 'silent'});
    const element = status(worker);
    await until('the socket', async () => (await worker.sockets()) === 1);
    time.elapse();
    await untilText(element, 'Waiting');
    expect(await worker.calls('payment')).to.have.length(1);
    await until('the next poll is planned soon', () => Math.min(...time.delays) <= 15_000);
  });

  it('does not poll while the page is hidden, and polls when the shopper returns', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    await untilText(element, 'Waiting');
    await until('no request is pending', () => time.delays.length === 2);
    const comeBack = leaveTab();
    await worker.script({payment: PAYMENTS.paid});
    const requestCount = (await worker.calls()).length;
    while (time.delays.length > 0) time.elapse();
    expect(await worker.calls()).to.have.length(requestCount);
    comeBack();
    await untilText(element, 'Payment received');
  });

  it('polls with a growing delay while requests fail, tells the shopper, and polls when the shopper asks', async () => {
    const worker = await TestWorker.start({sockets: 'refused'});
    const element = status(worker);
    const errors = record<Event & {code: string; retryable: boolean}>(element, 'vezne-error');
    await untilText(element, 'Waiting');
    await worker.fault('payment', {kind: 'reset'});
    const delays: number[] = [];
    while (delays.length < 5) {
      const errorCount = errors.length;
      await until('a failure', () => {
        if (errors.length > errorCount) return true;
        if (time.delays.length > 0) time.elapse();
        return false;
      });
      delays.push(Math.max(...time.delays));
    }
    // The longest delay between two polls is 15 s, and jitter can make it 20 % shorter.
    expect(delays.at(-1)).to.be.greaterThan(11_000);
    expect([errors[0]?.code, errors[0]?.retryable]).to.deep.equal(['network', true]);
    await untilText(element, 'Connection lost. We’re trying again');
    await worker.fault('payment');
    await worker.script({payment: PAYMENTS.paid});
    await press(element, 'Check now');
    await untilText(element, 'Payment received');
  });

  it('does not poll before the time in Retry-After', async () => {
    const {worker, element, requestCount} = await openRateLimited();
    dispatchEvent(new Event('online'));
    expect(await worker.calls('payment')).to.have.length(requestCount);
    expect(text(element)).to.include('Waiting for your transfer');
  });

  it('polls an expired payment slowly, because the money may still arrive', async () => {
    const worker = await TestWorker.start({sockets: 'refused', payment: PAYMENTS.expired});
    const element = status(worker);
    await untilText(element, 'This payment has expired');
    await worker.script({payment: PAYMENTS.late});
    const requestCount = (await worker.calls('payment')).length;
    const fromMs = time.nowMs;
    await until('the answer', async () => {
      if ((await worker.calls('payment')).length > requestCount) return true;
      if (time.delays.length > 0) time.elapse();
      return false;
    });
    expect(time.nowMs - fromMs).to.be.greaterThan(55_000);
    await untilText(element, 'Your payment arrived after the deadline');
  });

  it('continues to poll after a timer has fired early', async () => {
    const {worker, element, requestCount} = await openRateLimited();
    while (Math.min(...time.delays) < 200_000) time.elapse();
    time.fireEarly();
    expect(await worker.calls('payment')).to.have.length(requestCount);
    await worker.fault('payment');
    await worker.script({payment: PAYMENTS.paid});
    await until('the answer', () => {
      if (time.delays.length > 0) time.elapse();
      return text(element).includes('Payment received');
    });
  });
});

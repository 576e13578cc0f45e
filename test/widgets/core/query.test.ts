/** A query is fetched once for all its subscribers, retried after a failure, and fetched again when it is stale. */

import {expect} from '@open-wc/testing/pure';
import {Problem} from '../../../widgets/core/problem.ts';
import {Query} from '../../../widgets/core/query.ts';
import {FakeTime, leaveTab} from '../support/fake-time.ts';
import {show, text, until, untilText} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

const nothing = () => {};

describe('a query', () => {
  let time: FakeTime;
  beforeEach(() => {
    time = new FakeTime();
  });
  afterEach(() => time.release());

  it('fetches an answer again when it is stale, even if its subscriber left and came back', async () => {
    let requestCount = 0;
    const query = new Query(() => ++requestCount, {freshMs: 120_000});
    const unsubscribe = query.subscribe(nothing);
    await until('the answer', () => query.value === 1);
    unsubscribe();
    await until('the query has stopped', () => time.delays.length === 0);
    query.subscribe(nothing);
    expect([query.value, time.delays.length]).to.deep.equal([1, 1]);
    time.elapse();
    await until('a newer answer', () => query.value === 2);
  });

  it('if its answer became stale while it had no subscriber, fetches again as soon as it has one', async () => {
    let requestCount = 0;
    const query = new Query(() => ++requestCount, {freshMs: 120_000});
    const unsubscribe = query.subscribe(nothing);
    unsubscribe();
    await until('the query has stopped', () => time.delays.length === 0);
    const other = new Query(() => 0, {freshMs: 130_000});
    other.subscribe(nothing);
    time.elapse();
    query.subscribe(nothing);
    expect(query.value).to.equal(2);
  });

  it('retries after a failure when the delay is over, but never while the page is hidden', async () => {
    let requestCount = 0;
    const query = new Query(() => {
      requestCount += 1;
      throw new Problem('rate_limited', true, 90_000);
    });
    query.subscribe(nothing);
    time.fireEarly();
    expect(requestCount).to.equal(1);
    time.elapse();
    expect(requestCount).to.equal(2);
    const comeBack = leaveTab();
    time.elapse();
    expect(requestCount).to.equal(2);
    comeBack();
    expect(requestCount).to.equal(3);
  });

  it('rejects wait() with the problem of the last attempt, and does not retry early', async () => {
    let requestCount = 0;
    const query = new Query<number>(() => {
      requestCount += 1;
      throw new Problem('network', true);
    });
    query.subscribe(nothing);
    const changes: string[] = [];
    query.subscribe(() => changes.push(query.result.status));
    for (let count = 0; count < 5; count++) {
      const problem = await query.wait(new AbortController().signal).catch((thrown: Problem) => thrown);
      expect((problem as Problem).code).to.equal('network');
    }
    expect([requestCount, changes]).to.deep.equal([1, []]);
  });

  it('removes its listeners from the signal given to wait()', async () => {
    const {signal} = new AbortController();
    let listenerCount = 0;
    const {addEventListener} = signal;
    signal.addEventListener = (type: string, listener: EventListener, options: AddEventListenerOptions) => {
      listenerCount += 1;
      options.signal?.addEventListener('abort', () => (listenerCount -= 1));
      addEventListener.call(signal, type, listener, options);
    };
    const query = new Query(() => 1);
    query.subscribe(nothing);
    for (let count = 0; count < 5; count++) await query.wait(signal);
    expect(listenerCount).to.equal(0);
  });

  it('reloads the query on which it depends, if that query has failed', async () => {
    let isAvailable = false;
    let requestCount = 0;
    const first = new Query<number>(() => {
      requestCount += 1;
      if (isAvailable) return 1;
      throw new Problem('network', true);
    });
    const second: Query<number> = new Query(async (signal) => (await first.wait(signal)) + 1, {after: first});
    second.subscribe(nothing);
    await until('a failure', () => second.result.status === 'failed');
    expect(requestCount).to.equal(1);
    isAvailable = true;
    second.reload();
    await until('both answers', () => second.value === 2);
    expect(requestCount).to.equal(2);
  });

  it('retries only after its delay, even if several elements wait, and the elements do not flicker', async () => {
    const worker = await TestWorker.start({faults: {session: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const markup = ['code', 'status'].map(
      (name) =>
        `<vezne-payment-${name} api="${worker.address}" offer="gold" bank="toros" lang="en"></vezne-payment-${name}>`,
    );
    const code = show(`<div>${markup.join('')}</div>`);
    for (const element of Array.from(code.children)) await untilText(element, 'isn’t responding');
    expect(await worker.calls('session')).to.have.length(1);
    for (let attempt = 0; attempt < 6; attempt++) {
      await until('a timer', () => time.delays.length > 0);
      time.elapse();
      for (const element of Array.from(code.children)) expect(text(element)).to.include('isn’t responding');
    }
    await worker.fault('session');
    await until('the code', () => {
      if (time.delays.length > 0) time.elapse();
      return text(code).includes('881200450017');
    });
    await untilText(code, 'Waiting for your transfer');
  });
});

/** One answer that many wait for. */

import {expect} from '@open-wc/testing';
import {Problem} from '../../../widgets/core/problem.ts';
import {Query} from '../../../widgets/core/query.ts';
import {FakeTime, leaveTab} from '../support/fake-time.ts';
import {show, text, until, untilText} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

const nothing = () => {};

describe('an answer that is waited for', () => {
  let time: FakeTime;
  beforeEach(() => {
    time = new FakeTime();
  });
  afterEach(() => time.release());

  it('is asked for again when it has aged, though who shows it was moved in between', async () => {
    let asked = 0;
    const answer = new Query(() => ++asked, {freshMs: 120_000});
    const leave = answer.subscribe(nothing);
    await until('the answer', () => answer.value === 1);
    leave();
    await until('that nobody waits', () => time.delays.length === 0);
    answer.subscribe(nothing);
    expect([answer.value, time.delays.length]).to.deep.equal([1, 1]);
    time.elapse();
    await until('a newer answer', () => answer.value === 2);
  });

  it('that has aged while nobody showed it is asked for as soon as somebody does', async () => {
    let asked = 0;
    const answer = new Query(() => ++asked, {freshMs: 120_000});
    const leave = answer.subscribe(nothing);
    leave();
    await until('that nobody waits', () => time.delays.length === 0);
    const other = new Query(() => 0, {freshMs: 130_000});
    other.subscribe(nothing);
    time.elapse();
    answer.subscribe(nothing);
    expect(answer.value).to.equal(2);
  });

  it('that failed is asked for again also where the timer rings a moment early, and when a hidden page is shown', async () => {
    let asked = 0;
    const answer = new Query(() => {
      asked += 1;
      throw new Problem('rate_limited', true, 90_000);
    });
    answer.subscribe(nothing);
    time.fireEarly();
    expect(asked).to.equal(1);
    time.elapse();
    expect(asked).to.equal(2);
    const comeBack = leaveTab();
    time.elapse();
    expect(asked).to.equal(2);
    comeBack();
    expect(asked).to.equal(3);
  });

  it('fails for who waits with what the last attempt met, and is not asked for out of its turn', async () => {
    let asked = 0;
    const answer = new Query<number>(() => {
      asked += 1;
      throw new Problem('network', true);
    });
    answer.subscribe(nothing);
    const changes: string[] = [];
    answer.subscribe(() => changes.push(answer.result.status));
    for (let wait = 0; wait < 5; wait++) {
      const problem = await answer.wait(new AbortController().signal).catch((thrown: Problem) => thrown);
      expect((problem as Problem).code).to.equal('network');
    }
    expect([asked, changes]).to.deep.equal([1, []]);
  });

  it('leaves nothing at the signal of who waited', async () => {
    const {signal} = new AbortController();
    let listening = 0;
    const {addEventListener} = signal;
    signal.addEventListener = (type: string, listener: EventListener, options: AddEventListenerOptions) => {
      listening += 1;
      options.signal?.addEventListener('abort', () => (listening -= 1));
      addEventListener.call(signal, type, listener, options);
    };
    const answer = new Query(() => 1);
    answer.subscribe(nothing);
    for (let wait = 0; wait < 5; wait++) await answer.wait(signal);
    expect(listening).to.equal(0);
  });

  it('follows what it needs: asked again as soon as that is there, and that is asked for where the shopper tries again', async () => {
    let isThere = false;
    let asked = 0;
    const first = new Query<number>(() => {
      asked += 1;
      if (isThere) return 1;
      throw new Problem('network', true);
    });
    const second: Query<number> = new Query(async (signal) => (await first.wait(signal)) + 1, {after: first});
    second.subscribe(nothing);
    await until('a failure', () => second.result.status === 'failed');
    expect(asked).to.equal(1);
    isThere = true;
    second.reload();
    await until('both', () => second.value === 2);
    expect(asked).to.equal(2);
  });

  it('of a session that cannot be had is asked for in its own time, and the page does not blink', async () => {
    const worker = await TestWorker.start({faults: {session: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const markup = ['code', 'status'].map(
      (name) => `<vezne-payment-${name} api="${worker.address}" offer="gold" lang="en"></vezne-payment-${name}>`,
    );
    const code = show(`<div>${markup.join('')}</div>`);
    for (const element of Array.from(code.children)) await untilText(element, 'does not answer right now');
    const asked = (await worker.calls('session')).length;
    expect(asked).to.equal(1);
    for (let turn = 0; turn < 6; turn++) {
      await until('a wait', () => time.delays.length > 0);
      time.elapse();
      for (const element of Array.from(code.children)) expect(text(element)).to.include('does not answer right now');
    }
    await worker.fault('session');
    await until('the code', () => {
      if (time.delays.length > 0) time.elapse();
      return text(code).includes('881200450017');
    });
    await untilText(code, 'Waiting for your transfer');
  });
});

/** What a shopper sees, and can do, when something between the page and the money does not work. */

import {expect} from '@open-wc/testing';
import type {Fault, Operation} from './stub-worker/script.ts';
import {FakeTime} from './support/fake-time.ts';
import {inside, openPage} from './support/frame.ts';
import {chooseBank, find, findAll, press, record, show, text, until, untilText} from './support/page.ts';
import {TestWorker} from './support/test-worker.ts';

type Failure = Event & {code: string; retryable: boolean};

const checkout = (worker: TestWorker) =>
  show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);

interface Row {
  readonly when: string;
  readonly fault: Fault;
  readonly code: string;
  readonly retryable: boolean;
  readonly words: string;
  /** Whether there is something to press. */
  readonly wayOn: boolean;
}

const ROWS: readonly Row[] = [
  {
    when: 'the offer is unknown',
    fault: {kind: 'problem', code: 'unknown_offer'},
    code: 'unknown_offer',
    retryable: false,
    words: 'This offer is not on sale right now',
    wayOn: true,
  },
  {
    when: 'the page’s origin is not allowed',
    fault: {kind: 'problem', code: 'origin_not_allowed'},
    code: 'origin_not_allowed',
    retryable: false,
    words: 'This page cannot take payments',
    wayOn: true,
  },
  {
    when: 'there were too many requests',
    fault: {kind: 'problem', code: 'rate_limited', retryAfter: 20},
    code: 'rate_limited',
    retryable: true,
    words: 'Too many attempts',
    wayOn: true,
  },
  {
    when: 'the platform is down',
    fault: {kind: 'problem', code: 'temporarily_unavailable'},
    code: 'temporarily_unavailable',
    retryable: true,
    words: 'The payment service does not answer right now',
    wayOn: true,
  },
  {
    when: 'the platform refuses',
    fault: {kind: 'problem', code: 'platform_refused'},
    code: 'platform_refused',
    retryable: false,
    words: 'The payment could not be started',
    wayOn: true,
  },
  {
    when: 'the answer is garbled',
    fault: {kind: 'garbled'},
    code: 'unreadable',
    retryable: true,
    words: 'does not answer',
    wayOn: true,
  },
  {
    when: 'the answer is of another kind',
    fault: {kind: 'strange'},
    code: 'unreadable',
    retryable: true,
    words: 'does not answer',
    wayOn: true,
  },
  {
    when: 'a proxy answers with a page',
    fault: {kind: 'html'},
    code: 'unreadable',
    retryable: true,
    words: 'does not answer',
    wayOn: true,
  },
  {
    when: 'the connection breaks',
    fault: {kind: 'reset'},
    code: 'network',
    retryable: true,
    words: 'cannot be reached',
    wayOn: true,
  },
];

/** Gets as far as an operation is asked. */
const REACH: Record<Extract<Operation, 'session' | 'banks' | 'code'>, (element: Element) => Promise<void>> = {
  session: async () => {},
  banks: async () => {},
  code: async (element) => {
    await chooseBank(element, 'Toros');
    await press(element, 'Continue');
  },
};

const WORKS: Record<keyof typeof REACH, string> = {
  session: 'Wooden desk lamp',
  banks: 'Toros Bank',
  code: '881200450017',
};

describe('when something does not work', () => {
  for (const [operation, reach] of Object.entries(REACH) as [keyof typeof REACH, (typeof REACH)['code']][]) {
    for (const {when, fault, code, retryable, words, wayOn} of ROWS) {
      it(`says what to do if ${when} (${operation})`, async () => {
        const worker = await TestWorker.start();
        await worker.fault(operation, fault);
        const errors = record<Failure>(document.body, 'vezne-error');
        const element = checkout(worker);
        await reach(element);
        await untilText(element, words);
        await untilText(element, `Error code: ${code}`);
        expect(errors.map((error) => [error.code, error.retryable])).to.deep.equal([[code, retryable]]);
        const ways = findAll(element, '.problem button');
        expect(ways).to.have.length(wayOn ? 1 : 0);
        if (!wayOn) return;
        await worker.fault(operation);
        ways[0]?.click();
        await untilText(element, WORKS[operation]);
      });
    }
  }

  it('says on a page the Worker does not know that payments are not taken here, and to the merchant why', async () => {
    const worker = await TestWorker.start({isAllowed: false});
    const noted: unknown[] = [];
    const {error} = console;
    console.error = (...said: unknown[]) => noted.push(...said);
    const errors = record<Failure>(document.body, 'vezne-error');
    const element = checkout(worker);
    await untilText(element, 'This page cannot take payments right now');
    console.error = error;
    expect(errors.map(({code, retryable}) => [code, retryable])).to.deep.include(['origin_not_allowed', true]);
    expect(noted).to.deep.equal([
      `Vezne: ${worker.address} can be reached, but does not answer pages of ${location.origin}. Is that origin in its ALLOWED_ORIGINS?`,
    ]);
    await worker.script({isAllowed: true});
    await press(element, 'Try again');
    await untilText(element, 'Toros Bank');
  });

  it('keeps the chosen bank through a failure', async () => {
    const worker = await TestWorker.start({faults: {code: {kind: 'reset'}}});
    const element = checkout(worker);
    await REACH.code(element);
    await untilText(element, 'cannot be reached');
    await worker.fault('code');
    await press(element, 'Try again');
    await untilText(element, 'Toros Bank');
  });

  it('says that the device is offline, and goes on by itself when it is not', async () => {
    const worker = await TestWorker.start({faults: {session: {kind: 'reset'}}});
    Object.defineProperty(navigator, 'onLine', {value: false, configurable: true});
    const element = checkout(worker);
    await untilText(element, 'You are offline');
    delete (navigator as {onLine?: boolean}).onLine;
    await worker.fault('session');
    dispatchEvent(new Event('online'));
    await untilText(element, 'Wooden desk lamp');
  });

  it('replaces a session the Worker no longer takes, once and without a word', async () => {
    const worker = await TestWorker.start({token: 'header.public.signature-one'});
    const element = checkout(worker);
    const errors = record<Failure>(document.body, 'vezne-error');
    await untilText(element, 'Wooden desk lamp');
    const {session} = await import('./stub-worker/answers.ts');
    await worker.script({session: session({token: 'a.b.renewed-token-1'}), token: 'a.b.renewed-token-1'});
    await REACH.code(element);
    await untilText(element, '881200450017');
    expect(errors).to.deep.equal([]);
    expect(await worker.calls('session')).to.have.length(2);
  });

  it('does not go round in circles when a new session is refused too', async () => {
    const worker = await TestWorker.start({token: 'nobody-has-this'});
    const element = checkout(worker);
    await REACH.code(element);
    await untilText(element, 'This payment session has ended');
    await untilText(element, 'Start a new payment');
    // What follows the payment is refused by itself, and has to give up by itself.
    const status = await until('the payment', () =>
      find(element, 'vezne-payment-status')?.shadowRoot?.querySelector('.base'),
    );
    await untilText(status, 'This payment session has ended');
    expect(await worker.calls('session')).to.have.length(2);
  });

  it('never changes a code under the eyes of a shopper', async () => {
    const worker = await TestWorker.start();
    const element = checkout(worker);
    await REACH.code(element);
    await untilText(element, 'Waiting for your transfer');
    await worker.script({token: 'another', sockets: 'refused'});
    await worker.dropSockets();
    await untilText(element, 'This order can no longer be followed here.');
    expect(text(element))
      .to.include('881200450017')
      .and.not.to.include('Open on a phone')
      .and.not.to.include('session has ended');
    expect(await worker.calls('session')).to.have.length(1);
  });

  describe('for a while', () => {
    let time: FakeTime;
    beforeEach(() => {
      time = new FakeTime();
    });
    afterEach(() => time.release());

    it('tries again by itself', async () => {
      const worker = await TestWorker.start({faults: {banks: {kind: 'problem', code: 'temporarily_unavailable'}}});
      const element = checkout(worker);
      await untilText(element, 'does not answer right now');
      await worker.fault('banks');
      time.elapse();
      await untilText(element, 'Toros Bank');
    });

    it('tries ever more slowly, and not before the Worker allows it', async () => {
      const worker = await TestWorker.start({
        faults: {session: {kind: 'problem', code: 'rate_limited', retryAfter: 90}},
      });
      const element = checkout(worker);
      await untilText(element, 'Too many attempts');
      expect(time.delays).to.deep.equal([90_000]);
      dispatchEvent(new Event('online'));
      expect(await worker.calls('session')).to.have.length(1);
    });

    it('gives up on an answer that never comes, and offers to try again', async () => {
      const worker = await TestWorker.start({faults: {session: {kind: 'held'}}});
      const element = checkout(worker);
      await until('the request', async () => (await worker.calls('session')).length);
      time.expire();
      await untilText(element, 'Error code: timeout');
      await worker.fault('session');
      await press(element, 'Try again');
      await untilText(element, 'Wooden desk lamp');
    });
  });

  it('is told as trouble where the words for a refusal do not come', async () => {
    const worker = await TestWorker.start({
      missing: 'refusals',
      faults: {session: {kind: 'problem', code: 'origin_not_allowed'}},
    });
    // The page's own clock runs fast.
    const head = `<script>const late = setTimeout; setTimeout = (run, ms) => late(run, ms / 20);</script><script type="module" src="${worker.address}/vezne.js"></script>`;
    const element = await inside(
      await openPage({head, body: '<vezne-checkout offer="gold" lang="en"></vezne-checkout>'}),
      'vezne-checkout',
    );
    await untilText(element, 'Error code: origin_not_allowed');
    await untilText(element, 'The payment service does not answer right now');
  });

  it('is told where the elements one pays with do not come, and tried again', async () => {
    const worker = await TestWorker.start({missing: 'transfer/payment-'});
    const head = `<script>const late = setTimeout; setTimeout = (run, ms) => late(run, ms / 20);</script><script type="module" src="${worker.address}/vezne.js"></script>`;
    const element = await inside(
      await openPage({head, body: '<vezne-checkout offer="gold" lang="en"></vezne-checkout>'}),
      'vezne-checkout',
    );
    await REACH.code(element);
    await untilText(element, 'Error code: timeout');
  });

  it('leaves nothing running behind when it leaves the page', async () => {
    const worker = await TestWorker.start({faults: {banks: {kind: 'problem', code: 'temporarily_unavailable'}}});
    const time = new FakeTime();
    try {
      const element = checkout(worker);
      await untilText(element, 'does not answer right now');
      expect(time.delays).to.have.length(1);
      element.remove();
      await until('no timer', () => time.delays.length === 0);
    } finally {
      time.release();
    }
  });
});

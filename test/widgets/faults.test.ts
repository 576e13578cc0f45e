/** What a shopper sees and can do when the Worker, the platform or the network fails. */

import {expect} from '@open-wc/testing/pure';
import {subscription} from './stub-worker/answers.ts';
import type {Fault, Operation} from './stub-worker/script.ts';
import {FakeTime} from './support/fake-time.ts';
import {FAST_TIMERS, inside, openPage} from './support/frame.ts';
import {find, findAll, record, show, text, until, untilText} from './support/page.ts';
import {chooseBank, press} from './support/shopper.ts';
import {SELLER} from './support/states/state.ts';
import {TestWorker} from './support/test-worker.ts';

type Failure = Event & {code: string; retryable: boolean};

const checkout = (worker: TestWorker) =>
  show(`<vezne-checkout api="${worker.address}" offer="gold" lang="en"></vezne-checkout>`);

interface Row {
  readonly when: string;
  readonly fault: Fault;
  readonly code: string;
  readonly retryable: boolean;
  /** What the shopper reads. */
  readonly text: string;
}

const ROWS: readonly Row[] = [
  {
    when: 'the offer is unknown',
    fault: {kind: 'problem', code: 'unknown_offer'},
    code: 'unknown_offer',
    retryable: false,
    text: 'This item isn’t available right now',
  },
  {
    when: 'the page’s origin is not allowed',
    fault: {kind: 'problem', code: 'origin_not_allowed'},
    code: 'origin_not_allowed',
    retryable: false,
    text: 'This page can’t take payments',
  },
  {
    when: 'there were too many requests',
    fault: {kind: 'problem', code: 'rate_limited', retryAfter: 20},
    code: 'rate_limited',
    retryable: true,
    text: 'Please wait a moment Too many requests. We’ll try again in 20 seconds. No money has left your account.',
  },
  {
    when: 'the platform is down',
    fault: {kind: 'problem', code: 'temporarily_unavailable'},
    code: 'temporarily_unavailable',
    retryable: true,
    text: 'The payment service isn’t responding',
  },
  {
    when: 'the platform refuses the request',
    fault: {kind: 'problem', code: 'platform_refused'},
    code: 'platform_refused',
    retryable: false,
    text: 'We couldn’t start the payment',
  },
  {
    when: 'the answer is not valid JSON',
    fault: {kind: 'garbled'},
    code: 'unreadable',
    retryable: true,
    text: 'isn’t responding',
  },
  {
    when: 'the answer has the wrong fields',
    fault: {kind: 'strange'},
    code: 'unreadable',
    retryable: true,
    text: 'isn’t responding',
  },
  {
    when: 'a proxy answers with an HTML page',
    fault: {kind: 'html'},
    code: 'unreadable',
    retryable: true,
    text: 'isn’t responding',
  },
  {
    when: 'the connection breaks',
    fault: {kind: 'reset'},
    code: 'network',
    retryable: true,
    text: 'We can’t reach',
  },
];

/** The steps of the shopper that lead to each operation. */
const REACH: Record<Extract<Operation, 'session' | 'banks' | 'code'>, (element: Element) => Promise<void>> = {
  session: async () => {},
  banks: async () => {},
  code: async (element) => {
    await chooseBank(element, 'Toros');
  },
};

/** A text that appears after each operation has succeeded. */
const SUCCESS_TEXT: Record<keyof typeof REACH, string | RegExp> = {
  session: 'Wooden desk lamp',
  banks: 'Toros Bank',
  // The shopper's bank is still chosen.
  code: /881200450017.*Toros Bank/,
};

/** One client reads all answers, so only the failures that each operation shows in its own way are tested for each. */
const rowsFor = (operation: keyof typeof REACH) =>
  ROWS.filter(({code}) => operation === 'session' || /^(rate_limited|platform_refused|network)$/.test(code));

/**
 * Whether a module that failed once fails until the page is reloaded, as in Chromium 150 and unlike in Chromium 156.
 * Afterwards the Worker has all files.
 */
async function remembersFailedModules(worker: TestWorker): Promise<boolean> {
  // The query keeps the file out of the browser's cache, which has the files of other tests.
  const file = `${worker.address}/refund.js?failed`;
  const isLoaded = () =>
    import(/* @vite-ignore */ file).then(
      () => true,
      () => false,
    );
  await worker.script({notFound: '/refund.js'});
  expect(await isLoaded()).to.equal(false);
  await worker.script({notFound: null});
  return !(await isLoaded());
}

describe('a checkout after a failure', () => {
  for (const [operation, reach] of Object.entries(REACH) as [keyof typeof REACH, (typeof REACH)['code']][]) {
    for (const {when, fault, code, retryable, text: expected} of rowsFor(operation)) {
      it(`tells the shopper what to do if ${when} (operation: ${operation})`, async () => {
        const worker = await TestWorker.startCrossOrigin();
        await worker.fault(operation, fault);
        const errors = record<Failure>(document.body, 'vezne-error');
        const element = checkout(worker);
        await reach(element);
        await untilText(element, expected);
        // Only this text tells the shopper to give the error code to the seller.
        const needsCode = expected === 'We couldn’t start the payment';
        expect(text(element).includes(`Error code: ${code}.`)).to.equal(needsCode);
        expect(errors.map((error) => [error.code, error.retryable])).to.deep.equal([[code, retryable]]);
        const buttons = findAll(element, '.problem button, .next button').filter(
          (button) => !/Copy|Share/.test(text(button)),
        );
        // A busy Worker says when the element retries.
        if (code === 'rate_limited') return expect(buttons).to.have.length(0);
        expect(buttons).to.have.length(1);
        // Only the merchant can make an offer available, and a page of today knows it.
        if (code === 'unknown_offer') return expect(text(buttons[0] as HTMLElement)).to.equal('Reload the page');
        await worker.fault(operation);
        buttons[0]?.click();
        await untilText(element, SUCCESS_TEXT[operation]);
      });
    }
  }

  it('tells a developer to check ALLOWED_ORIGINS if the Worker does not answer pages of this origin', async () => {
    const worker = await TestWorker.startCrossOrigin({isAllowed: false});
    const logged: unknown[] = [];
    const {error} = console;
    console.error = (...args: unknown[]) => logged.push(...args);
    const errors = record<Failure>(document.body, 'vezne-error');
    const element = checkout(worker);
    const note = `Vezne: ${worker.address} can be reached, but does not answer pages of ${location.origin}. Add that origin to its ALLOWED_ORIGINS.`;
    await untilText(element, note);
    console.error = error;
    expect(errors.map(({code, retryable}) => [code, retryable])).to.deep.include(['origin_not_allowed', false]);
    expect(text(element)).not.to.include('Try again');
    expect(logged).to.deep.equal([note]);
  });

  it('tells a developer to serve a page that has no origin, such as a file', async () => {
    const worker = await TestWorker.startCrossOrigin({isAllowed: false});
    const own = Object.getOwnPropertyDescriptor(window, 'origin') as PropertyDescriptor;
    Object.defineProperty(window, 'origin', {...own, get: () => 'null'});
    const {error} = console;
    console.error = () => {};
    await untilText(checkout(worker), 'does not answer a page without an origin, such as a file.');
    console.error = error;
    Object.defineProperty(window, 'origin', own);
  });

  it('says that the device is offline, and continues when it is online again', async () => {
    const worker = await TestWorker.startCrossOrigin({faults: {session: {kind: 'reset'}}});
    Object.defineProperty(navigator, 'onLine', {value: false, configurable: true});
    const element = checkout(worker);
    await untilText(element, 'You’re offline');
    delete (navigator as {onLine?: boolean}).onLine;
    await worker.fault('session');
    dispatchEvent(new Event('online'));
    await untilText(element, 'Wooden desk lamp');
  });

  it('opens a new session if the Worker rejects the old one, without telling the shopper', async () => {
    const worker = await TestWorker.startCrossOrigin({token: 'header.eyJvcmRlciI6IlAtMTAwOSJ9.signature-one'});
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

  it('opens a new session only once, even if the Worker rejects that session too', async () => {
    const worker = await TestWorker.startCrossOrigin({token: 'no-session-has-this-token'});
    const element = checkout(worker);
    await REACH.code(element);
    await untilText(element, 'This page timed out No money has left your account.');
    await untilText(element, 'Start a new payment');
    // The payment status sends requests of its own, so it must show the end of the session too.
    const status = await until('the payment', () =>
      find(element, 'vezne-payment-status')?.shadowRoot?.querySelector('.base'),
    );
    await untilText(status, 'This page timed out If you’ve sent the money, it will reach the seller');
    expect(await worker.calls('session')).to.have.length(2);
  });

  it('never replaces an order code that the shopper has seen, even if the Worker rejects the session', async () => {
    const worker = await TestWorker.startCrossOrigin();
    const element = checkout(worker);
    await REACH.code(element);
    await untilText(element, 'Waiting for your transfer');
    await worker.script({token: 'another', sockets: 'refused'});
    await worker.dropSockets();
    await untilText(element, 'You can no longer track this order here');
    expect(text(element))
      .to.include('881200450017')
      .and.not.to.include('Open on a phone')
      .and.not.to.include('timed out');
    expect(await worker.calls('session')).to.have.length(1);
  });

  describe('with fake time', () => {
    let time: FakeTime;
    beforeEach(() => {
      time = new FakeTime();
    });
    afterEach(() => time.release());

    it('retries without a click when the delay is over', async () => {
      const worker = await TestWorker.startCrossOrigin({
        faults: {banks: {kind: 'problem', code: 'temporarily_unavailable'}},
      });
      const element = checkout(worker);
      await untilText(element, 'isn’t responding');
      await worker.fault('banks');
      time.elapse();
      await untilText(element, 'Toros Bank');
    });

    it('does not retry before the time in Retry-After, even if the device comes online', async () => {
      const worker = await TestWorker.startCrossOrigin({
        faults: {session: {kind: 'problem', code: 'rate_limited', retryAfter: 90}},
      });
      const element = checkout(worker);
      await untilText(element, 'Please wait a moment');
      expect(time.delays).to.deep.equal([90_000]);
      dispatchEvent(new Event('online'));
      expect(await worker.calls('session')).to.have.length(1);
    });

    it('says that the service cannot be reached if a request gets no answer, and offers a retry', async () => {
      const worker = await TestWorker.startCrossOrigin({faults: {session: {kind: 'held'}}});
      const element = checkout(worker);
      await until('the request', async () => (await worker.calls('session')).length);
      time.expire();
      await untilText(element, 'We can’t reach the payment service');
      await worker.fault('session');
      await press(element, 'Try again');
      await untilText(element, 'Wooden desk lamp');
    });
  });

  it('says that the service is not responding if the file with the texts of refusals does not load', async () => {
    const worker = await TestWorker.startCrossOrigin({
      missing: 'refusals',
      faults: {session: {kind: 'problem', code: 'origin_not_allowed'}},
    });
    const head = `${FAST_TIMERS}<script type="module" src="${worker.address}/vezne.js"></script>`;
    const element = await inside(
      await openPage({head, body: '<vezne-checkout offer="mug" lang="en"></vezne-checkout>'}),
      'vezne-checkout',
    );
    await untilText(element, 'The payment service isn’t responding');
  });

  it('says that the service cannot be reached if the request for the payment step’s file gets no answer', async () => {
    const worker = await TestWorker.startCrossOrigin({missing: 'checkout/payment-'});
    const head = `${FAST_TIMERS}<script type="module" src="${worker.address}/vezne.js"></script>`;
    const element = await inside(
      await openPage({head, body: '<vezne-checkout offer="gold" lang="en"></vezne-checkout>'}),
      'vezne-checkout',
    );
    await REACH.code(element);
    await untilText(element, 'We can’t reach the payment service');
  });

  it('shows the contacts of the seller as soon as the browser loads their file, although its first request failed', async () => {
    const worker = await TestWorker.startCrossOrigin({
      notFound: 'subscribe/seller-',
      subscription: subscription({state: 'suspend'}),
      seller: SELLER,
    });
    const head = `${FAST_TIMERS}<script type="module" src="${worker.address}/vezne.js"></script>`;
    const frame = await openPage({
      head,
      body: '<vezne-subscription session="management-session" lang="en"></vezne-subscription>',
    });
    const element = await inside(frame, 'vezne-subscription');
    await until('the request for the file', () =>
      frame.contentWindow?.performance.getEntriesByType('resource').some(({name}) => name.includes('/seller-')),
    );
    const isRemembered = await remembersFailedModules(worker);
    await untilText(element, isRemembered ? 'We can’t reach' : 'Contact the seller E-mail the seller');
  });

  it('has no pending timers after it was removed from the page', async () => {
    const worker = await TestWorker.startCrossOrigin({
      faults: {banks: {kind: 'problem', code: 'temporarily_unavailable'}},
    });
    const time = new FakeTime();
    try {
      const element = checkout(worker);
      await untilText(element, 'isn’t responding');
      // The retry; on a busy machine also the time limit of a request that is still open.
      expect(time.delays).not.to.have.length(0);
      element.remove();
      await until('no timer is pending', () => time.delays.length === 0);
    } finally {
      time.release();
    }
  });
});

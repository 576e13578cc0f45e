import {expect} from '@open-wc/testing/pure';
import {sendMouse} from '@web/test-runner-commands';
import '../../../../widgets/bundles/one-click.ts';
import type {VezneOneClick} from '../../../../widgets/subscription/one-click/vezne-one-click.ts';
import {terms} from '../../stub-worker/answers.ts';
import type {Script} from '../../stub-worker/script.ts';
import {FakeTime, leaveTab} from '../../support/fake-time.ts';
import {inside, openPage} from '../../support/frame.ts';
import {find, findAll, record, show, text, until, untilText} from '../../support/page.ts';
import {fillIn} from '../../support/pin-page.ts';
import {press} from '../../support/shopper.ts';
import {SELLER} from '../../support/states/state.ts';
import {TestWorker} from '../../support/test-worker.ts';

async function open(
  script: Partial<Script> = {},
  attributes = 'number-token="9007199254740993"',
): Promise<{worker: TestWorker; element: HTMLElement}> {
  const worker = await TestWorker.start(script);
  const element = show(
    `<vezne-one-click api="${worker.address}" offer="club" lang="en" ${attributes}></vezne-one-click>`,
  );
  return {worker, element};
}

const confirm = (element: Element) => find<HTMLButtonElement>(element, '#confirm');
/** Whether the button accepts a click. */
const isReady = (element: Element) => confirm(element)?.hasAttribute('aria-disabled') === false;

/** Lets the reading time pass, and clicks the button with the mouse, as a shopper does. */
async function clickWithMouse(element: Element, time: FakeTime): Promise<void> {
  const button = await until('a button that can be pressed', () => {
    if (isReady(element)) return confirm(element);
    if (time.delays.length > 0) time.elapse();
    return undefined;
  });
  button.scrollIntoView({block: 'center'});
  const {x, y, width, height} = button.getBoundingClientRect();
  await sendMouse({type: 'click', position: [Math.round(x + width / 2), Math.round(y + height / 2)]});
}

const setUrlToken = (token: string) => history.replaceState(null, '', token ? `?number_token=${token}` : '?');

beforeEach(() => sessionStorage.clear());

let fakeTime: FakeTime | undefined;
function startFakeTime(): FakeTime {
  fakeTime = new FakeTime();
  return fakeTime;
}
afterEach(() => {
  fakeTime?.release();
  fakeTime = undefined;
});

describe('vezne-one-click', () => {
  it('shows the masked number, the price and the terms, and subscribes with one click', async () => {
    const time = startFakeTime();
    const {worker, element} = await open();
    const subscribed = record<Event & {trackingId: string}>(element, 'vezne-subscribe');
    await untilText(element, '0532 *** ** 67');
    expect(text(element)).to.equal(
      'Club membership ₺12.00 a week Members see new products two days early. Renews automatically until you cancel. It’s charged to your phone bill or balance. ' +
        'Subscription terms Privacy notice Your number 0532 *** ** 67 Kuzeycell Read the price and terms; you can confirm in a moment. Subscribe for ₺12.00 a week Subscribe with another number',
    );
    await clickWithMouse(element, time);
    await untilText(element, 'You’re subscribed');
    await until('the focus', () => find(element, 'h2:focus'));
    const [call] = await worker.calls('subscribe');
    expect(call?.body).to.deep.equal({
      number_token: '9007199254740993',
      tracking_id: subscribed[0]?.trackingId,
      language: 'en',
    });
  });

  it('enables the button only after the reading time, and ignores clicks by scripts', async () => {
    const {worker, element} = await open();
    await untilText(element, 'you can confirm in a moment');
    expect(isReady(element)).to.equal(false);
    await until('the time to read', () => isReady(element));
    confirm(element)?.click();
    await (element as VezneOneClick).updateComplete;
    expect(isReady(element), 'the button stays enabled, because the script’s click starts no attempt').to.equal(true);
    expect(await worker.calls('subscribe')).to.deep.equal([]);
  });

  it('offers no one-click in a frame, where another page could cover the button, unless the element has `framed`', async () => {
    const worker = await TestWorker.start();
    const openFramed = async (attributes = '') => {
      const frame = await openPage({
        head: '<script type="module" src="/widgets/bundles/one-click.ts"></script>',
        body: `<vezne-one-click api="${worker.address}" offer="club" lang="en" number-token="9007199254740993" ${attributes}></vezne-one-click>`,
      });
      return inside(frame, 'vezne-one-click');
    };
    const framed = await openFramed();
    await until('the form for the number', () => find(framed, 'vezne-pin-subscribe'));
    expect(confirm(framed)).to.equal(undefined);
    expect(await worker.calls('number')).to.deep.equal([]);
    Object.assign(framed, {framed: true});
    await untilText(framed, '0532 *** ** 67');
    const allowed = await openFramed('framed');
    await untilText(allowed, '0532 *** ** 67');
    allowed.ownerDocument.defaultView?.frameElement?.scrollIntoView();
    await until('the time to read', () => isReady(allowed));
  });

  it('measures the reading time of terms in a small scroll box, and measures it again in a new language', async () => {
    const time = new FakeTime();
    try {
      const {element} = await open();
      const place = element.parentElement as HTMLElement;
      place.style.cssText = 'block-size: 120px; overflow: auto';
      place.insertAdjacentHTML('beforeend', '<style>vezne-one-click::part(terms) {block-size: 480px}</style>');
      await untilText(element, 'you can confirm in a moment');
      const parts = findAll(element, '.offer p');
      expect(parts.map((part) => part.offsetHeight)).to.include(480);
      expect(innerHeight).to.be.greaterThan(480);
      const read = async () => {
        for (const part of parts) {
          part.scrollIntoView({block: 'center'});
          for (let step = 0; step < 8 && !isReady(element); step += 1) {
            // An IntersectionObserver reports at most once in each animation frame.
            await new Promise((resolve) => requestAnimationFrame(resolve));
            time.elapse();
            await (element as VezneOneClick).updateComplete;
          }
        }
        return isReady(element);
      };
      await until('the time to read', read);
      element.lang = 'tr';
      await until('the Turkish text', () => text(element).includes('Kulüp üyeliği') && !isReady(element));
      await until('the time to read', read);
    } finally {
      time.release();
    }
  });

  it('counts no reading time while price and terms are out of view or the tab is hidden', async () => {
    const time = new FakeTime();
    let returnToTab: (() => void) | undefined;
    try {
      const {element} = await open();
      const place = element.parentElement as HTMLElement;
      place.style.cssText = 'block-size: 2em; overflow: auto';
      await untilText(element, 'you can confirm in a moment');
      confirm(element)?.scrollIntoView();
      const pass = async (steps: number) => {
        for (let step = 0; step < steps; step += 1) {
          // An IntersectionObserver reports at most once in each animation frame.
          await new Promise((resolve) => requestAnimationFrame(resolve));
          time.elapse();
        }
        await (element as VezneOneClick).updateComplete;
        return !isReady(element);
      };
      expect(await pass(8)).to.equal(true);
      returnToTab = leaveTab();
      place.style.cssText = '';
      element.scrollIntoView();
      expect(await pass(8)).to.equal(true);
      returnToTab?.();
      await until('the time to read', async () => (await pass(1)) === false);
    } finally {
      returnToTab?.();
      time.release();
    }
  });

  describe('subscribes the number that it shows', () => {
    const address = location.href;
    afterEach(() => history.replaceState(null, '', address));

    /** What the page does after the number of token A was shown, or after none was. */
    const CHANGES: Readonly<
      Record<
        string,
        {first?: 'url' | 'property' | 'none'; change: (element: VezneOneClick) => unknown; sent: 'A' | 'B'}
      >
    > = {
      'nothing changes': {change: () => {}, sent: 'A'},
      'another property': {change: (element) => (element.numberToken = 'B'), sent: 'B'},
      'a property in place of the address': {first: 'url', change: (element) => (element.numberToken = 'B'), sent: 'B'},
      'the address loses its token': {first: 'url', change: () => setUrlToken(''), sent: 'A'},
      'the address loses its token, and the element is rendered': {
        first: 'url',
        change: (element) => {
          setUrlToken('');
          element.lang = 'tr';
        },
        sent: 'A',
      },
      'the address has another token': {first: 'url', change: () => setUrlToken('B'), sent: 'A'},
      'a property after the form for a number was shown': {
        first: 'none',
        change: (element) => (element.numberToken = 'B'),
        sent: 'B',
      },
      'the name of the parameter after the form for a number was shown': {
        first: 'none',
        change: (element) => {
          history.replaceState(null, '', '?msisdn_token=B');
          element.numberTokenParameter = 'msisdn_token';
        },
        sent: 'B',
      },
    };
    for (const [what, {first = 'property', change, sent}] of Object.entries(CHANGES))
      it(`with its token: ${what}`, async () => {
        const time = startFakeTime();
        if (first === 'url') setUrlToken('A');
        const {worker, element} = await open({}, first === 'property' ? 'number-token="A"' : '');
        if (first === 'none') await until('the form', () => find(element, 'vezne-pin-subscribe'));
        else await untilText(element, '0532 *** ** 67');
        await worker.script({number: {msisdn: '532*****89', operator: 4}});
        change(element as VezneOneClick);
        await (element as VezneOneClick).updateComplete;
        await untilText(element, sent === 'A' ? '0532 *** ** 67' : '0532 *** ** 89');
        await clickWithMouse(element, time);
        const [call] = await until('the request', async () => {
          const calls = await worker.calls('subscribe');
          return calls.length > 0 ? calls : undefined;
        });
        expect(call?.body).to.include({number_token: sent});
      });

    it('keeps the number while the subscription is being started', async () => {
      const time = startFakeTime();
      const {worker, element} = await open({faults: {subscribe: {kind: 'held'}}}, 'number-token="A"');
      await clickWithMouse(element, time);
      await until('the request', async () => (await worker.calls('subscribe')).length > 0);
      Object.assign(element, {numberToken: 'B'});
      await worker.release();
      await untilText(element, 'You’re subscribed');
      expect(await worker.calls('number')).to.have.length(1);
    });
  });

  it('takes the number token from the page’s URL', async () => {
    const before = location.href;
    history.replaceState(null, '', '?network=77');
    try {
      const {worker, element} = await open({}, 'number-token-parameter="network"');
      await untilText(element, '0532 *** ** 67');
      expect((await worker.calls('number'))[0]?.body).to.deep.equal({number_token: '77'});
    } finally {
      history.replaceState(null, '', before);
    }
  });

  const typedNumberCases: readonly {when: string; script?: Partial<Script>; attributes?: string}[] = [
    {when: 'one-click is off', script: {terms: terms({one_click: false})}},
    {when: 'there is no number token', attributes: ''},
    {when: 'the number token is invalid', script: {faults: {number: {kind: 'problem', code: 'number_token_invalid'}}}},
    {
      when: 'the Worker refuses the token because one-click is off',
      script: {faults: {number: {kind: 'problem', code: 'one_click_off'}}},
    },
  ];
  for (const {when, script, attributes} of typedNumberCases) {
    it(`lets the shopper type the number if ${when}`, async () => {
      const {element} = await open(script, attributes);
      await untilText(element, 'Text me a code');
      expect(find(element, 'vezne-pin-subscribe')).to.not.equal(undefined);
      expect(text(element)).to.match(/^Club membership/);
    });
  }

  /**
   * Refusals for the platform's statuses 027 (token), 003 and 028 (PIN), 006 (mobile operator) and 004 (number). One
   * click needs no PIN, so no message may mention a PIN.
   */
  const refusalsThatAskForNumber = {
    number_token_invalid: 'We couldn’t recognise it automatically',
    pin_expired: 'We couldn’t recognise it automatically',
    pin_wrong: 'We couldn’t recognise it automatically',
    pin_blocked: 'We couldn’t recognise it automatically',
    operator_invalid: 'This number is with a different operator',
    number_invalid: 'We can’t use this number',
  } as const;
  for (const [code, message] of Object.entries(refusalsThatAskForNumber)) {
    it(`lets the shopper type the number after the error ${code}, with a message that mentions no PIN`, async () => {
      const time = startFakeTime();
      const {worker, element} = await open();
      await worker.fault('subscribe', {kind: 'problem', code: code as keyof typeof refusalsThatAskForNumber});
      await clickWithMouse(element, time);
      await untilText(element, 'Text me a code');
      await untilText(element, message);
      expect(text(element)).to.not.contain('Subscribe with 0532');
      if (message.startsWith('We couldn’t recognise')) expect(text(element)).to.match(/recognise.*Your operator/);
      expect(text(element)).to.not.match(/code (isn’t right|has expired)|wrong codes/);
    });
  }

  it('lets the shopper choose no other number while the subscription is being started', async () => {
    const time = startFakeTime();
    const {worker, element} = await open();
    await worker.fault('subscribe', {kind: 'held'});
    await clickWithMouse(element, time);
    await untilText(element, 'Starting…');
    find(element, '.link[aria-disabled=true]')?.click();
    await worker.release();
    await untilText(element, 'You’re subscribed');
  });

  it('lets the shopper type another number, and return to the recognized number unless a PIN is being requested', async () => {
    const {worker, element} = await open({faults: {pin: {kind: 'held'}}});
    await press(element, 'Subscribe with another number');
    await fillIn(element);
    await press(element, 'Text me a code');
    const back = await until('the disabled link', () => find(element, '.back button[aria-disabled=true]'));
    back.click();
    await worker.fault('pin', {kind: 'problem', code: 'number_invalid'});
    await worker.release();
    await untilText(element, 'We can’t use this number');
    expect(back.hasAttribute('aria-disabled')).to.equal(false);
    back.focus();
    back.click();
    await untilText(element, 'Your number 0532 *** ** 67');
    expect(text(element)).to.not.contain('We can’t use this number');
    await until('the focus', () => find(element, '.base:focus'));
    expect(await worker.calls('number')).to.have.length(1);
  });

  it('says after other refusals whether the shopper was charged, keeps the focus, and lets the shopper confirm again', async () => {
    const time = startFakeTime();
    const {worker, element} = await open();
    const titles = {
      subscription_failed: 'Check your balance and try again. You weren’t charged this time.',
      platform_refused: 'Error code: platform_refused. You weren’t charged this time.',
      temporarily_unavailable: 'isn’t responding Try again in a moment. You weren’t charged this time.',
      rate_limited: 'You weren’t subscribed or charged this time.',
      outcome_unknown: 'We don’t know yet whether this went through',
      // Whether the earlier attempt succeeded is still unknown.
      misconfigured: 'We don’t know yet whether this went through',
    } as const;
    for (const [code, message] of Object.entries(titles)) {
      await worker.fault('subscribe', {kind: 'problem', code: code as keyof typeof titles});
      await clickWithMouse(element, time);
      await untilText(element, message);
      expect(find(element, '#confirm:focus')).to.equal(confirm(element));
      // With another number, the shopper could be charged twice.
      expect(text(element).includes('another number'), code).to.equal(!message.includes('We don’t know yet'));
    }
    await worker.fault('subscribe');
    await clickWithMouse(element, time);
    await untilText(element, 'You’re subscribed');
  });

  it('shows a card if the number cannot be subscribed, and lets the shopper use another number', async () => {
    const time = startFakeTime();
    const {element} = await open({faults: {subscribe: {kind: 'problem', code: 'not_eligible'}}});
    await clickWithMouse(element, time);
    await untilText(element, 'This number can’t subscribe');
    await until('the focus', () => find(element, 'h2:focus'));
    expect(confirm(element)).to.equal(undefined);
    await press(element, 'Use another number');
    await untilText(element, 'Text me a code');
  });

  it('shows after a reload that the subscription has started, and dispatches no second event', async () => {
    const time = startFakeTime();
    const {worker, element} = await open();
    await clickWithMouse(element, time);
    await untilText(element, 'You’re subscribed');
    const saved = sessionStorage[`vezne pin ${worker.address} club`] as string;
    sessionStorage[`vezne pin ${worker.address}/again club`] = saved;
    const again = show<HTMLElement>(
      `<vezne-one-click api="${worker.address}/again" offer="club" lang="en" number-token="7"></vezne-one-click>`,
    );
    const events = record<Event>(again, 'vezne-subscribe');
    await untilText(again, 'You’re subscribed');
    expect(text(again)).to.contain('Number 0532 *** ** 67');
    expect(events).to.deep.equal([]);
  });

  it('lets the shopper retry or ask the seller if the Worker could not read the number', async () => {
    const {worker, element} = await open({
      terms: terms({seller: SELLER}),
      faults: {number: {kind: 'problem', code: 'platform_refused'}},
    });
    await untilText(
      element,
      'tell the seller. Error code: platform_refused. You won’t pay until you confirm. Try again',
    );
    await untilText(element, 'Contact the seller');
    await worker.fault('number', {kind: 'problem', code: 'temporarily_unavailable'});
    await press(element, 'Try again');
    await untilText(element, 'isn’t responding');
    expect(find(element, 'vezne-seller-contacts')).to.equal(undefined);
    await worker.fault('number');
    await press(element, 'Try again');
    await untilText(element, '0532 *** ** 67');
  });
});

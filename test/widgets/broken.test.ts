/** No failure inside the kit is silent: a file that does not load, and an error while an element is rendered. */

import {expect} from '@open-wc/testing/pure';
import {define} from '../../widgets/core/define.ts';
import type {VezneElement} from '../../widgets/core/vezne-element.ts';
import {
  BUYER_FORM,
  MANY_BANKS,
  PAYMENTS,
  bankList,
  preview,
  session,
  subscription,
  terms,
} from './stub-worker/answers.ts';
import type {Script} from './stub-worker/script.ts';
import {ELEMENT_CLASSES} from './support/element-classes.ts';
import {FAST_RETRIES, inside, openPage} from './support/frame.ts';
import {record, show, text, until, untilText} from './support/page.ts';
import {chooseBank, clickOn, press, typeInto} from './support/shopper.ts';
import {SELLER} from './support/states/state.ts';
import {TestWorker} from './support/test-worker.ts';

define(...ELEMENT_CLASSES);

type Failure = Event & {code: string; retryable: boolean};

/** The methods of an update that may throw. */
const STEPS = ['willUpdate', 'renderContent', 'updated'] as const;

describe('an element that cannot be rendered', () => {
  const reports: unknown[] = [];
  const {reportError} = window;
  before(() => (window.reportError = (error) => void reports.push(error)));
  after(() => (window.reportError = reportError));

  for (const {tag} of ELEMENT_CLASSES) {
    it(`says so, dispatches vezne-error, and recovers (${tag})`, async () => {
      const worker = await TestWorker.start();
      for (const step of STEPS) {
        const errors = record<Failure>(document.body, 'vezne-error');
        const element = document.createElement(tag) as VezneElement<unknown>;
        const thrown = new TypeError(`from ${step}`);
        Object.assign(element, {
          [step]: () => {
            throw thrown;
          },
        });
        const place = show('<div lang="en"></div>');
        element.setAttribute('api', worker.address);
        place.append(element);
        await untilText(element, 'We can’t show this Try again in a moment. Reload the page');
        element.requestUpdate();
        await element.updateComplete;
        const own = errors.filter(({target, code}) => target === element && code === 'unreadable');
        expect(own.map(({code, retryable}) => [code, retryable])).to.deep.equal([['unreadable', false]]);
        expect(reports.splice(0)).to.deep.equal([thrown]);
        Reflect.deleteProperty(element, step);
        element.requestUpdate();
        await element.updateComplete;
        expect(text(element)).not.to.include('We can’t show');
        place.remove();
      }
    });
  }
});

describe('an element whose updates fail after they have rendered', () => {
  it('does not update for ever if rendering requests the next update', async () => {
    const {reportError} = window;
    const reports: unknown[] = [];
    window.reportError = (error) => void reports.push(error);
    const worker = await TestWorker.start();
    const element = document.createElement('vezne-vendor-form');
    let updates = 0;
    Object.assign(element, {
      updated: () => {
        updates += 1;
        if (updates > 100) return;
        throw new TypeError('from updated');
      },
    });
    element.setAttribute('api', worker.address);
    show('<div lang="en"></div>').append(element);
    // The frame of the form loads at once, in the update that renders it.
    await untilText(element, 'We can’t show this Try again in a moment. Reload the page');
    // The first update was before the form, and the next one is with it.
    await until('the form has arrived', async () => updates > 1 && (await worker.calls('vendorForm')).length > 0);
    for (let turn = 0; turn < 5; turn += 1) {
      element.requestUpdate();
      await new Promise((resolve) => setTimeout(resolve));
    }
    window.reportError = reportError;
    expect(updates).to.be.lessThan(20);
    expect(reports).to.have.length(1);
  });
});

interface LateFile {
  readonly body: string;
  readonly script?: Partial<Script>;
  readonly fragment?: string;
  /** What the shopper does until the element needs the file. */
  readonly reach?: (element: HTMLElement) => Promise<unknown>;
}

const CHECKOUT = '<vezne-checkout offer="gold" lang="en"></vezne-checkout>';
const CODE = '<vezne-payment-code offer="gold" lang="en"></vezne-payment-code>';
const STATUS = '<vezne-payment-status offer="gold" lang="en"></vezne-payment-status>';
const PIN = '<vezne-pin-subscribe offer="club" lang="en"></vezne-pin-subscribe>';
const MANAGE = '<vezne-subscription session="management-session" lang="en"></vezne-subscription>';
const CHECK = {sitekey: '1x00000000000000000000AA'};
const required = {kind: 'problem', code: 'human_check_required'} as const;

const askPin = async (element: HTMLElement): Promise<void> => {
  await clickOn(element, '[name=operator]');
  await typeInto(element, '[name=number]', '0532 123 45 67');
  await clickOn(element, '[name=consent]');
  await press(element, 'Text me a code');
};

/** The files that load later, by their names. */
const LATE_FILES: Readonly<Record<string, LateFile>> = {
  'checkout/payment': {body: CHECKOUT, reach: (element) => chooseBank(element, 'Toros')},
  'checkout/payment-en': {body: CHECKOUT, reach: (element) => chooseBank(element, 'Toros')},
  'checkout/copy-fallback': {
    body: CHECKOUT,
    reach: async (element) => {
      const page = element.ownerDocument;
      Object.defineProperty(page.defaultView?.navigator, 'clipboard', {value: undefined});
      page.execCommand = () => false;
      await chooseBank(element, 'Toros');
      await press(element, 'Copy the code');
    },
  },
  'checkout/bank-list-extras': {
    body: CHECKOUT,
    script: {banks: bankList(MANY_BANKS)},
    reach: (element) => typeInto(element, '[type=search]', 'no such bank'),
  },
  'checkout/buyer': {
    body: CHECKOUT,
    script: {buyerForm: BUYER_FORM},
    reach: (element) => chooseBank(element, 'Toros'),
  },
  'checkout/incoming': {body: CHECKOUT, script: {preview: preview()}, fragment: '#vezne=a-code&offer=gold'},
  'checkout/handoff': {
    body: CHECKOUT,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await press(element, 'Open on a phone');
    },
  },
  'checkout/human-check': {
    body: CODE,
    script: {session: session({human_check: {...CHECK, action: 'order'}}), faults: {code: required}},
  },
  'checkout/outcome': {body: STATUS, script: {payment: PAYMENTS.paid}},
  'checkout/hosted': {
    body: CHECKOUT,
    reach: async (element) => {
      await chooseBank(element, 'Toros');
      await press(element, 'I’ve sent');
      await press(element, 'I left out the code');
    },
  },
  'subscribe/pin-entry': {body: PIN},
  'subscribe/human-check': {
    body: PIN,
    script: {terms: terms({human_check: {...CHECK, action: 'pin'}}), faults: {pin: required}},
    reach: askPin,
  },
  'subscribe/after-refusal': {
    body: PIN,
    script: {faults: {pin: {kind: 'problem', code: 'temporarily_unavailable'}}},
    reach: askPin,
  },
  'subscribe/subscription-end': {body: PIN, reach: askPin},
  'subscribe/managed-cards': {body: MANAGE},
  'subscribe/seller': {body: MANAGE, script: {subscription: subscription({state: 'suspend'}), seller: SELLER}},
};

/** Files without elements: for texts of refusals there are general ones, and the others only add something, or are in Turkish. */
const OTHER_FILES = /refusals|diagnose|log-unknown|limited|page$|-tr$/;
/** Files that another file imports, and files of elements that the page itself names, which have a sentence of the page. */
const SHARED_FILES =
  /handoff-client|ids$|end-cards|enrollment-view|view-controller|next-charge|one-click|subscription$/;

describe('a file that does not load', () => {
  for (const [name, {body, script = {}, fragment, reach}] of Object.entries(LATE_FILES)) {
    for (const isDown of [false, true]) {
      it(`leads to a notice with a retry, and to vezne-error (${name}, ${isDown ? '503' : '404'})`, async () => {
        const worker = await TestWorker.startCrossOrigin({...script, notFound: `${name}-`, isDown});
        const head = `${FAST_RETRIES}<script type="module" src="${worker.address}/vezne.js"></script>`;
        const frame = await openPage({head, body}, fragment);
        const errors = record<Failure>(frame.contentDocument as Document, 'vezne-error');
        const element = await inside(frame, body.slice(1, body.indexOf(' ')));
        await reach?.(element);
        await untilText(element, 'We can’t reach the payment service');
        await until('vezne-error', () => errors.some(({code, retryable}) => code === 'network' && retryable));
      });
    }
  }

  it('has a row in this table', async () => {
    const worker = await TestWorker.start();
    const {releases} = (await (await fetch(`${worker.address}/vezne/releases.json`)).json()) as {
      releases: {files: object}[];
    };
    const files = Object.keys(releases[0]?.files ?? {})
      .flatMap((file) => /^(?:checkout|subscribe)\/.*(?=-.{8}\.js$)/.exec(file) ?? [])
      .filter((file) => !OTHER_FILES.test(file) && !SHARED_FILES.test(file));
    expect(files.sort()).to.deep.equal(Object.keys(LATE_FILES).sort());
  });
});

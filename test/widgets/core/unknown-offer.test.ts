/** The messages for the shopper and for the developer when an element cannot sell its offer. */

import {expect} from '@open-wc/testing/pure';
import '../../../widgets/bundles/pin-subscribe.ts';
import type {Fault} from '../stub-worker/script.ts';
import {announcements, find, record, show, text, until, untilText} from '../support/page.ts';
import {TestWorker} from '../support/test-worker.ts';

type Failure = Event & {code: string; retryable: boolean};

interface Row {
  readonly when: string;
  readonly tag: 'vezne-checkout' | 'vezne-pin-subscribe';
  readonly attributes: string;
  readonly fault?: Fault;
  /** The message to the developer in the console. */
  readonly note: string;
}

const UNKNOWN: Fault = {kind: 'problem', code: 'unknown_offer'};

const ROWS: readonly Row[] = [
  {
    when: 'a checkout names a subscription',
    tag: 'vezne-checkout',
    attributes: 'offer="club"',
    note: 'Vezne: "club" is a subscription offer; <vezne-pin-subscribe> takes it.',
  },
  {
    when: 'a PIN page names a payment',
    tag: 'vezne-pin-subscribe',
    attributes: 'offer="gold"',
    note: 'Vezne: "gold" is a payment offer; <vezne-checkout> takes it.',
  },
  {
    when: 'a checkout’s offer is misspelled',
    tag: 'vezne-checkout',
    attributes: 'offer="glod"',
    fault: UNKNOWN,
    note: 'Vezne: there is no offer "glod" in OFFERS.',
  },
  {
    when: 'a PIN page’s offer is misspelled',
    tag: 'vezne-pin-subscribe',
    attributes: 'offer="klub"',
    fault: UNKNOWN,
    note: 'Vezne: there is no offer "klub" in OFFERS.',
  },
  {
    when: 'a checkout names no offer',
    tag: 'vezne-checkout',
    attributes: '',
    note: 'Vezne: an element has neither offer nor session.',
  },
];

const SHOPPER_TEXT: Record<Row['tag'], string> = {
  'vezne-checkout': 'This item isn’t available right now',
  'vezne-pin-subscribe': 'This subscription isn’t available right now',
};

describe('an offer that an element cannot sell', () => {
  const logged: unknown[] = [];
  const {error} = console;

  beforeEach(() => {
    localStorage.clear();
    logged.length = 0;
    console.error = (...args: unknown[]) => logged.push(...args);
  });
  afterEach(() => {
    console.error = error;
  });

  for (const {when, tag, attributes, fault, note} of ROWS) {
    it(`is reported to the shopper, and to the developer in the console, if ${when}`, async () => {
      const worker = await TestWorker.start(fault ? {faults: {session: fault}} : {});
      const errors = record<Failure>(document.body, 'vezne-error');
      const element = show(`<${tag} api="${worker.address}" ${attributes} lang="en"></${tag}>`);
      await untilText(element, SHOPPER_TEXT[tag]);
      if (tag === 'vezne-checkout') expect(text(element)).not.to.include('Try again');
      else await until('the card with its next step', () => find(element, '.result') && find(element, 'button.button'));
      expect(announcements(element).join()).to.contain(SHOPPER_TEXT[tag]);
      await until('the console message', () => logged.length > 0);
      expect(logged).to.deep.equal([note]);
      expect(errors.map(({code, retryable}) => [code, retryable])).to.deep.equal([['unknown_offer', false]]);
    });
  }

  for (const tag of ['vezne-checkout', 'vezne-pin-subscribe'] as const)
    it(`is not reported if a framework names the offer of ${tag} in the task in which it adds the element`, async () => {
      const worker = await TestWorker.start();
      const errors = record<Failure>(document.body, 'vezne-error');
      const element = show(`<${tag} api="${worker.address}" lang="en"></${tag}>`);
      // The element has asked for its offer in vain before.
      await (element as HTMLElementTagNameMap[typeof tag]).updateComplete;
      Object.assign(element, {offer: tag === 'vezne-checkout' ? 'gold' : 'club'});
      await untilText(element, tag === 'vezne-checkout' ? 'Toros' : 'Club membership');
      expect([logged, errors]).to.deep.equal([[], []]);
    });
});

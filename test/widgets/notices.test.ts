/** The notices of failures inside the kit, for people with a screen reader or a keyboard, in both languages. */

import {expect} from '@open-wc/testing/pure';
import {sendKeys} from '@web/test-runner-commands';
import {define, lazyElements} from '../../widgets/core/define.ts';
import {StoreController} from '../../widgets/core/store.ts';
import type {VezneElement} from '../../widgets/core/vezne-element.ts';
import {PAYMENTS} from './stub-worker/answers.ts';
import {ELEMENT_CLASSES} from './support/element-classes.ts';
import {findAll, focused, show, text, until, untilText} from './support/page.ts';
import {TestWorker} from './support/test-worker.ts';
import {findViolations} from './support/violations.ts';

define(...ELEMENT_CLASSES);

interface Notice {
  readonly tag: string;
  readonly titles: readonly [tr: string, en: string];
  /** The button that asks again. Without it, a button reloads the page. */
  readonly retry?: string;
  /** Makes the element fail. @returns How often it has tried, if it tries again. */
  readonly fail: (element: VezneElement<unknown>, worker: TestWorker) => Promise<void | (() => Promise<number>)>;
}

const BROKEN = ['Bu bölüm gösterilemiyor', 'We can’t show this'] as const;
const MISSING = ['Ödeme hizmetine ulaşılamıyor', 'We can’t reach the payment service'] as const;

const breakIn = (method: string) => async (element: VezneElement<unknown>) => {
  Object.assign(element, {
    [method]: () => {
      throw new TypeError(method);
    },
  });
  element.requestUpdate();
};

const NOTICES: Readonly<Record<string, Notice>> = {
  'an error while an element is rendered': {
    tag: 'vezne-checkout',
    titles: BROKEN,
    fail: breakIn('renderContent'),
  },
  'an error in an element without a shadow root': {
    tag: 'vezne-human-check',
    titles: BROKEN,
    fail: breakIn('renderContent'),
  },
  'a file that did not load': {
    tag: 'vezne-bank-list',
    titles: MISSING,
    retry: 'Try again',
    fail: async (element) => {
      let tries = 0;
      const file = lazyElements(() => {
        tries += 1;
        return Promise.reject(new TypeError('no such file'));
      });
      Object.assign(element, {missing: new StoreController(element, () => file)});
      element.requestUpdate();
      return async () => tries;
    },
  },
  'a lost connection': {
    tag: 'vezne-payment-status',
    titles: ['Bağlantı kurulamadı', 'Connection lost'],
    retry: 'Check now',
    fail: async (element, worker) => {
      await untilText(element, '₺49.90');
      await worker.script({sockets: 'refused', faults: {payment: {kind: 'reset'}}});
      await worker.dropSockets();
      return async () => (await worker.calls('payment')).length;
    },
  },
};

describe('a notice', () => {
  const {reportError} = window;
  before(() => (window.reportError = () => {}));
  after(() => (window.reportError = reportError));

  for (const [what, {tag, titles, retry, fail}] of Object.entries(NOTICES)) {
    it(`of ${what} is announced, and its button is the next stop of a keyboard`, async () => {
      const worker = await TestWorker.start({payment: PAYMENTS.partial});
      const place = show('<div><button>Before</button></div>');
      place.insertAdjacentHTML('beforeend', `<${tag} api="${worker.address}" offer="gold" lang="en"></${tag}>`);
      const element = place.lastElementChild as VezneElement<unknown>;
      const countTries = await fail(element, worker);
      for (const [lang, title] of [
        ['tr', titles[0]],
        ['en', titles[1]],
      ] as const) {
        element.lang = lang;
        await untilText(element, title);
        const [live, ...others] = findAll(element, '[role=alert], [role=status]').filter((each) =>
          text(each).includes(title),
        );
        expect([live?.isConnected, others], 'the live region').to.deep.equal([true, []]);
        expect(await findViolations(element), lang).to.deep.equal([]);
      }
      place.querySelector('button')?.focus();
      const label = retry ?? 'Reload the page';
      const button = findAll(element, 'button').find((each) => text(each) === label);
      while (focused() !== button) {
        const at = focused();
        await sendKeys({press: 'Tab'});
        expect(element.matches(':focus-within'), text(at as Element)).to.equal(true);
      }
      // Nothing is open that Escape could close.
      await sendKeys({press: 'Escape'});
      expect([text(element).includes(titles[1]), focused() === button]).to.deep.equal([true, true]);
      if (!countTries) return;
      const before = await countTries();
      await sendKeys({press: 'Enter'});
      await until('another try', async () => (await countTries()) > before);
      expect(element.matches(':focus-within')).to.equal(true);
    });
  }
});

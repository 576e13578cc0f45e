/** If several elements show one order or one subscription, `document` hears of each change once. */

import {expect} from '@open-wc/testing/pure';
import '../../../widgets/bundles/hosted.ts';
import '../../../widgets/bundles/pin-subscribe.ts';
import {record, show, until, untilText} from '../support/page.ts';
import {enter, reachPin} from '../support/pin-page.ts';
import {chooseBank} from '../support/shopper.ts';
import {TestWorker} from '../support/test-worker.ts';

interface Row {
  readonly event: string;
  readonly tags: readonly [string, string];
  readonly offer: string;
  readonly act?: (first: HTMLElement) => Promise<unknown>;
  /** What each element shows in the end. */
  readonly shown: string;
}

const ROWS: readonly Row[] = [
  {
    event: 'vezne-subscribe',
    tags: ['vezne-pin-subscribe', 'vezne-pin-subscribe'],
    offer: 'club',
    act: async (first) => {
      await reachPin(first);
      await enter(first, '1234');
    },
    shown: 'You’re subscribed',
  },
  {
    event: 'vezne-order-code',
    tags: ['vezne-payment-code', 'vezne-payment-code'],
    offer: 'gold',
    shown: '881200450017',
  },
  {
    event: 'vezne-order-code',
    tags: ['vezne-checkout', 'vezne-payment-code'],
    offer: 'gold',
    act: (first) => chooseBank(first, 'Toros'),
    shown: '881200450017',
  },
  {
    event: 'vezne-payment',
    tags: ['vezne-payment-status', 'vezne-payment-status'],
    offer: 'gold',
    shown: 'Waiting for your transfer',
  },
];

describe('a page with two elements for the same', () => {
  for (const {event, tags, offer, act, shown} of ROWS)
    it(`${tags.join(' and ')} hears ${event} once, and so does each element`, async () => {
      const worker = await TestWorker.start();
      const heard = record(document, event);
      const elements = tags.map((tag) => show(`<${tag} api="${worker.address}" offer="${offer}" lang="en"></${tag}>`));
      const own = elements.map((element) => record(element, event));
      await act?.(elements[0] as HTMLElement);
      for (const element of elements) await untilText(element, shown);
      await until('all events', () => own.every((events) => events.length > 0));
      // Elements of an earlier test may still be heard.
      const ofThese = heard.filter(({target}) => elements.includes(target as HTMLElement));
      expect([ofThese, ...own].map((events) => events.length)).to.deep.equal([1, 1, 1]);
    });
});

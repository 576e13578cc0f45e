/**
 * A skeleton is as high as what replaces it, so that nothing below an element moves. A font that is wider or narrower
 * than that of most devices may change the number of lines.
 */

import {expect} from '@open-wc/testing/pure';
import '../../widgets/bundles/one-click.ts';
import '../../widgets/bundles/pin-subscribe.ts';
import '../../widgets/bundles/subscription.ts';
import {define} from '../../widgets/core/define.ts';
import {VezneRefundContact} from '../../widgets/refund/vezne-refund-contact.ts';
import {VezneVendorForm} from '../../widgets/vendor-form/vezne-vendor-form.ts';
import {show} from './support/page.ts';
import {STATES} from './support/states/states.ts';
import {TestWorker} from './support/test-worker.ts';

define(VezneRefundContact, VezneVendorForm);

const LOADING_STATES = {
  'a subscription form': 'a subscription form that is loading',
  'a number that the mobile network has recognized': 'a number that is being recognized',
  'an active subscription': 'a subscription that is loading',
  'a refund form': 'a refund link that is loading',
  'a vendor form': 'a vendor form that is loading',
};

const TWO_LINES_PX = 46;

describe('a skeleton', () => {
  for (const [name, loadingName] of Object.entries(LOADING_STATES)) {
    it(`has the height of ${name}`, async () => {
      /** The heights on a phone, on a larger phone and on a desktop. */
      const heights = async (each: string): Promise<number[]> => {
        const {markup, script = {}, reach} = STATES[each] ?? expect.fail(each);
        const worker = await TestWorker.start(typeof script === 'function' ? script() : script);
        const element = show(markup.replace(' ', ` api="${worker.address}" `));
        await reach(element, worker);
        const container = element.parentElement as HTMLElement;
        return ['328px', '343px', '560px'].map((width) => {
          container.style.inlineSize = width;
          return Math.round(element.getBoundingClientRect().height);
        });
      };
      const loading = await heights(loadingName);
      const shown = await heights(name);
      expect(
        loading.every((height, at) => Math.abs(height - (shown[at] ?? 0)) < TWO_LINES_PX),
        `${loading}`,
      ).to.equal(true);
    });
  }
});

/** A skeleton is as high as what replaces it, so that nothing below an element moves. */

import {expect} from '@open-wc/testing/pure';
import '../../widgets/bundles/one-click.ts';
import '../../widgets/bundles/pin-subscribe.ts';
import '../../widgets/bundles/subscription.ts';
import {define} from '../../widgets/core/define.ts';
import {VezneRefundContact} from '../../widgets/refund/vezne-refund-contact.ts';
import {VezneVendorForm} from '../../widgets/vendor-form/vezne-vendor-form.ts';
import {fontWidth} from './support/font-width.ts';
import {show} from './support/page.ts';
import {ONE_CLICK_STATES} from './support/states/one-click.ts';
import {PIN_SUBSCRIBE_STATES} from './support/states/pin-subscribe.ts';
import {REFUND_STATES} from './support/states/refund.ts';
import type {State} from './support/states/state.ts';
import {SUBSCRIPTION_STATES} from './support/states/subscription.ts';
import {VENDOR_FORM_STATES} from './support/states/vendor-form.ts';
import {TestWorker} from './support/test-worker.ts';

define(VezneRefundContact, VezneVendorForm);

const PAIRS = [
  [PIN_SUBSCRIBE_STATES, 'a subscription form that is loading', 'a subscription form'],
  [ONE_CLICK_STATES, 'a number that is being recognized', 'a number that the mobile network has recognized'],
  [SUBSCRIPTION_STATES, 'a subscription that is loading', 'an active subscription'],
  [REFUND_STATES, 'a refund link that is loading', 'a refund form'],
  [VENDOR_FORM_STATES, 'a vendor form that is loading', 'a vendor form'],
] as const;

const TWO_LINES_PX = 46;

/** A font that is the same on every device, and as wide as Arial: `size-adjust` scales its letters. */
async function loadFont(): Promise<void> {
  const fonts = '/node_modules/@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin';
  const load = async (family: string, sizeAdjust: string) => {
    const faces = [
      new FontFace(family, `url(${fonts}-ext-wght-normal.woff2)`, {
        sizeAdjust,
        weight: '200 800',
      } as FontFaceDescriptors),
      new FontFace(family, `url(${fonts}-wght-normal.woff2)`, {
        sizeAdjust,
        weight: '200 800',
        unicodeRange: 'U+0000-00FF, U+2000-206F',
      } as FontFaceDescriptors),
    ];
    for (const face of faces) document.fonts.add(await face.load());
  };
  await load('unscaled', '100%');
  await load('as wide as Arial', `${100 / fontWidth('unscaled')}%`);
}

/** The heights on phones and on a desktop. */
async function heightsOf({markup, script = {}, reach}: State): Promise<number[]> {
  const worker = await TestWorker.start(typeof script === 'function' ? script() : script);
  const element = show(markup.replace(' ', ` api="${worker.address}" `));
  await reach(element, worker);
  const container = element.parentElement as HTMLElement;
  return ['328px', '343px', '560px'].map((width) => {
    container.style.inlineSize = width;
    return Math.round(element.getBoundingClientRect().height);
  });
}

describe('a skeleton', () => {
  before(async () => {
    await loadFont();
    document.body.style.fontFamily = 'as wide as Arial';
  });
  after(() => {
    document.body.style.removeProperty('font-family');
    document.fonts.clear();
  });

  for (const [states, loading, shown] of PAIRS) {
    it(`has the height of ${shown}`, async () => {
      const [before, after] = [await heightsOf(states[loading] as State), await heightsOf(states[shown] as State)];
      const moved = before.map((height, at) => Math.abs(height - (after[at] ?? 0)));
      expect(Math.max(...moved), `${before.join(', ')} → ${after.join(', ')}`).to.be.lessThan(TWO_LINES_PX);
    });
  }
});

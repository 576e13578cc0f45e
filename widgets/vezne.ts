/**
 * The script of the script tag `<script type="module" src="https://pay.merchant.example/vezne.js"></script>`. It
 * defines the elements that the page contains, and those that the page adds later. Elements call the Worker that served
 * this script. A page may load the script twice, even in two versions: only the first one runs, and the second one does
 * nothing. If a page script (`page-script.ts`) has run before, this script leaves the elements of its kind to it.
 *
 * The script cannot find elements inside the shadow roots of other components. A page with such elements loads
 * `vezne.js#all`, which defines all elements.
 */

import {SCRIPT_TAG, type ScriptTag} from './core/script-tag.ts';
import {loadBundles, type Bundle} from './loader.ts';
import {prefetch} from './prefetch.ts';
import {followHandoffLinks, takeHandoffLink} from './transfer/purchase/handoff-link.ts';

/** The elements that need the list of banks first, so that it is worth prefetching. */
const CHECKOUT_TAGS = 'vezne-checkout,vezne-bank-list';

const BUNDLES: readonly Bundle[] = [
  {kind: 'transfer', tags: CHECKOUT_TAGS, load: () => import('./bundles/checkout.ts')},
  {kind: 'transfer', tags: 'vezne-payment-code,vezne-payment-status', load: () => import('./bundles/payment.ts')},
  {kind: 'transfer', tags: 'vezne-pay-button,vezne-payment-notice', load: () => import('./bundles/hosted.ts')},
  {kind: 'subscription', tags: 'vezne-pin-subscribe', load: () => import('./bundles/pin-subscribe.ts')},
  {kind: 'subscription', tags: 'vezne-one-click', load: () => import('./bundles/one-click.ts')},
  {kind: 'subscription', tags: 'vezne-subscription', load: () => import('./bundles/subscription.ts')},
  {kind: 'vendor', tags: 'vezne-vendor-form', load: () => import('./bundles/vendor-form.ts')},
  {tags: 'vezne-activity', load: () => import('./bundles/activity.ts')},
];

const SCRIPT_URL = import.meta.url;

/** If several kinds are needed, the file with all elements is smaller than the files of these kinds. */
function loadAll(needed: readonly Bundle[]): (() => Promise<unknown>) | undefined {
  const kinds = new Set(needed.flatMap(({kind}) => kind ?? []));
  return kinds.size > 1 || SCRIPT_URL.endsWith('#all') ? () => import('./bundles/all.ts') : undefined;
}

const page = globalThis as {[SCRIPT_TAG]?: ScriptTag};
const first = page[SCRIPT_TAG];
const taken = first?.kinds;
if (!first || taken) {
  const script = (page[SCRIPT_TAG] = {
    api: new URL('.', SCRIPT_URL).href,
    prefetched: new Map(),
    ...first,
    // From now on, this script defines the elements of all other kinds.
    kinds: undefined,
  });
  if (!taken?.has('transfer')) {
    takeHandoffLink();
    followHandoffLinks();
  }
  loadBundles(
    BUNDLES.filter(({kind}) => !kind || !taken?.has(kind)),
    {
      // The file with all elements would define elements of a kind that a page script defines.
      ...(taken ? {} : {loadAll}),
      onFetch: (element) => {
        if (element.matches(`:is(${CHECKOUT_TAGS}):not([api])`)) prefetch(script, element);
      },
    },
  );
}

/**
 * The script of the script tag `<script type="module" src="https://pay.merchant.example/vezne.js"></script>`. It
 * defines the elements that the page contains, and the elements that the page adds later. Elements call the Worker that
 * served this script. A page may load the script twice, even in two versions: the first copy runs, and the second does
 * nothing. If a page script (`page-script.ts`) has run before, the page script defines the elements of its kind, and
 * this script defines all others.
 *
 * The script cannot find elements inside the shadow roots of other components. A page with such elements loads
 * `vezne.js#all`, which defines all elements.
 */

import {SCRIPT_TAG, type ScriptTag} from './core/script-tag.ts';
import {type Bundle, RETRY_MS, watchPage} from './loader.ts';
import {prefetch} from './prefetch.ts';
import {followHandoffLinks, takeHandoffLink} from './transfer/purchase/handoff-link.ts';

/** The elements that need the list of banks first. For them, the script tag prefetches the list. */
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

const page = globalThis as {[SCRIPT_TAG]?: ScriptTag};
const first = page[SCRIPT_TAG];
const script: ScriptTag = {api: new URL('.', SCRIPT_URL).href, prefetched: new Map(), ...first, kinds: undefined};
/** The kinds of elements that page scripts define. */
const takenKinds: ReadonlySet<string> | undefined = first?.kinds;

/** The bundles that are neither loaded nor being loaded. */
const pendingBundles = new Set(BUNDLES.filter(({kind = ''}) => !takenKinds?.has(kind)));

/** Loads the bundles that the elements on the page need. */
function loadNeededBundles(): void {
  const needed = [...pendingBundles].filter(({tags}) => document.querySelector(tags));
  const kinds = new Set(needed.flatMap(({kind}) => kind ?? []));
  // If several kinds are needed, the file with all elements is smaller than the files of these kinds. Beside a page
  // script the file is not used, because it would also define the elements of the page script's kind.
  if (!takenKinds && (kinds.size > 1 || (SCRIPT_URL.endsWith('#all') && pendingBundles.size > 0)))
    void loadBundles([...pendingBundles], () => import('./bundles/all.ts'));
  else
    for (const bundle of takenKinds && SCRIPT_URL.endsWith('#all') ? [...pendingBundles] : needed)
      void loadBundles([bundle], bundle.load);
}

async function loadBundles(bundles: readonly Bundle[], fetchBundle: () => Promise<unknown>): Promise<void> {
  for (const bundle of bundles) pendingBundles.delete(bundle);
  const loading = fetchBundle();
  const element = document.querySelector(bundles.map(({tags}) => tags).join()) ?? document.body;
  if (element.matches(`:is(${CHECKOUT_TAGS}):not([api])`)) prefetch(script, element);
  try {
    await loading;
  } catch {
    const failure = new Event('vezne-error', {bubbles: true, composed: true});
    element.dispatchEvent(Object.assign(failure, {code: 'network', retryable: true}));
    setTimeout(() => {
      for (const bundle of bundles) pendingBundles.add(bundle);
      loadNeededBundles();
    }, RETRY_MS);
  }
}

if (!first || takenKinds) {
  page[SCRIPT_TAG] = script;
  if (!takenKinds?.has('transfer')) {
    takeHandoffLink();
    followHandoffLinks();
  }
  watchPage(loadNeededBundles);
}

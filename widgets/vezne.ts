/**
 * The script of the script tag `<script type="module" src="https://pay.merchant.example/vezne.js"></script>`. It finds
 * the elements that the page contains or adds later, and loads the script of their kind, which defines them. A page may
 * load this script twice, even in two versions: the first copy runs, and the second does nothing. A page may also load
 * the script of a kind itself, before or after this script (`page-script.ts`).
 *
 * The script cannot find elements inside the shadow roots of other components. A page with such elements loads
 * `vezne.js#all`, which loads the scripts of all kinds.
 */

import {joinPage, type ElementKind} from './core/script-tag.ts';
import {loadWhenNeeded} from './loader.ts';
import {followHandoffLinks, takeHandoffLink} from './transfer/purchase/handoff-link.ts';

interface KindScript {
  /** Missing for the tracker, whose script notices by itself that it has run. */
  readonly kind?: ElementKind;
  readonly file: string;
  readonly tags: string;
}

const SCRIPTS: readonly KindScript[] = [
  {
    kind: 'transfer',
    file: 'checkout.js',
    tags: 'vezne-checkout,vezne-bank-list,vezne-payment-code,vezne-payment-status,vezne-pay-button,vezne-payment-notice',
  },
  {kind: 'subscription', file: 'subscribe.js', tags: 'vezne-pin-subscribe,vezne-one-click,vezne-subscription'},
  {kind: 'vendor', file: 'vendor.js', tags: 'vezne-vendor-form'},
  {file: 'activity.js', tags: 'vezne-activity'},
];

const SCRIPT_URL = import.meta.url;
const script = joinPage(SCRIPT_URL);

/** Loads the script of a kind, with the data of the first offer for which a page has an element of this kind. */
async function loadScript({kind, file, tags}: KindScript): Promise<void> {
  if (kind && script.kinds.has(kind)) return;
  const offer = document.querySelector(`:is(${tags})[offer]:not([session],[api])`)?.getAttribute('offer');
  const {hash} = new URL(SCRIPT_URL);
  await import(/* @vite-ignore */ `${script.api}${file}${offer ? `?offer=${encodeURIComponent(offer)}` : ''}${hash}`);
}

if (!script.isFinding) {
  script.isFinding = true;
  takeHandoffLink();
  followHandoffLinks();
  loadWhenNeeded(
    SCRIPT_URL,
    SCRIPTS.map((each) => ({tags: each.tags, load: () => loadScript(each)})),
  );
}

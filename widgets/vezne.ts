/**
 * The script of the script tag `<script type="module" src="https://pay.merchant.example/vezne.js"></script>`. It finds
 * the elements that the page contains or adds later, and loads the script of their kind, which defines them. A page may
 * load this script twice, even in two versions: only the first copy looks for elements. A page may also load the script
 * of a kind itself (`page-script.ts`). Elements inside the shadow roots of other components cannot be found. A page with
 * such elements loads `vezne.js?all`, which loads all scripts, also as a second copy.
 */

import {joinPage, type ScriptName} from './core/script-tag.ts';
import {loadWhenNeeded} from './loader.ts';
import {followHandoffLinks} from './transfer/purchase/handoff-link.ts';

/** The scripts by their elements. The script of the tracker notices by itself that it has run. */
const SCRIPTS: readonly (readonly [tags: string, name: ScriptName])[] = [
  [
    'vezne-checkout,vezne-bank-list,vezne-payment-code,vezne-payment-status,vezne-payment-notice,vezne-pay-button',
    'checkout',
  ],
  ['vezne-pin-subscribe,vezne-one-click,vezne-subscription', 'subscribe'],
  ['vezne-vendor-form', 'vendor'],
  ['vezne-refund-contact', 'refund'],
  ['vezne-activity', 'activity'],
];

const SCRIPT_URL = import.meta.url;
const {api, scripts} = joinPage(SCRIPT_URL);
const isAll = /[?&#]all\b/.test(SCRIPT_URL);

/** Loads a script, with the data of the first offer for which a page has one of the script's elements. */
async function loadScript(name: ScriptName, tags: string, attempt: number): Promise<void> {
  if (!scripts.has(name)) {
    const url = new URL(`${name}.js`, api);
    const offer = document.querySelector(`:is(${tags})[offer]:not([session],[api])`)?.getAttribute('offer');
    if (offer) url.searchParams.set('offer', offer);
    // Some browsers remember that a module did not load.
    if (attempt > 1) url.searchParams.set('retry', `${attempt}`);
    await import(/* @vite-ignore */ url.href);
  }
  if (isAll) scripts.get(name)?.(isAll);
}

if (isAll || !scripts.has('vezne')) {
  scripts.set('vezne', undefined);
  followHandoffLinks();
  loadWhenNeeded(SCRIPTS, loadScript, isAll);
}

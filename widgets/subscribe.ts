/**
 * The page script of a subscription: `<script type="module" src="https://pay.merchant.example/subscribe.js?offer=club">`.
 * It contains the terms of the offer that its URL names.
 */

import type {SubscribePageData} from '../worker/contract/browser/page-data.ts';
import {loadTracker, startPageScript} from './page-script.ts';
import {VeznePinSubscribe} from './subscription/pin-subscribe/vezne-pin-subscribe.ts';

// The Worker replaces it with the data. A pinned file has an empty object in its place.
declare const __VEZNE_PAGE_DATA__: Partial<SubscribePageData>;

startPageScript(
  'subscribe',
  [VeznePinSubscribe],
  [
    ['vezne-one-click', () => import('./bundles/one-click.ts')],
    ['vezne-subscription', () => import('./bundles/subscription.ts')],
    ['vezne-activity', loadTracker],
  ],
  {terms: __VEZNE_PAGE_DATA__.offer},
);

import {ignoreErrors} from './ignore-errors.ts';
import type {OnPurchase} from './purchases.ts';
import {randomId} from './random-id.ts';

declare global {
  interface Window {
    /**
     * Tells the page of purchases, and records the shopper's consent to tracking. The page calls `consent`, which sets `consented` to true, or
     * `withdrawConsent`, which sets it to false. The page may create this object itself, before the script has loaded.
     */
    vezne?: {
      consent?: () => void;
      withdrawConsent?: () => void;
      consented?: boolean;
      onPurchase?: OnPurchase;
      /** The calls of `onPurchase` until the file has loaded that answers them. */
      purchases?: Parameters<OnPurchase>[];
    };
  }
}

/** The key of the id in `sessionStorage` and on the global object. */
const KEY = 'vezne tracking';
const MAX_LENGTH = 255;

/**
 * The global object keeps the id while the page is open. A variable of this module could not do this, because several
 * built files contain a copy of the module.
 */
const page = self as {[KEY]?: string};

/**
 * An id for this page view, which is not stored. If the shopper allows tracking later, `trackingId` returns the same
 * id, unless the page's URL contains a campaign's id.
 */
export function pageViewId(): string {
  return (page[KEY] ||= randomId());
}

/**
 * The id that links the steps of one visit. It is the campaign's id in the page's URL, otherwise the id that this visit
 * already has, otherwise a new id. The id is kept while the tab is open. If storage is blocked, it is kept only while
 * the page is open.
 * @param parameter - The URL parameter with the campaign's id; `tracking_id` by default.
 */
export function trackingId(parameter: string | null): string {
  ignoreErrors(() => (page[KEY] ||= sessionStorage[KEY] as string));
  const id = (page[KEY] =
    new URL(location.href).searchParams
      .get(parameter || 'tracking_id')
      ?.replace(/[^!-~]/g, '')
      .slice(0, MAX_LENGTH) ||
    page[KEY] ||
    randomId());
  ignoreErrors(() => (sessionStorage[KEY] = id));
  return id;
}

/** A tracker that requires consent. A page that misspells `required` also wants to ask, so any text but `false` does. */
export const ASKING = '[consent]:not([consent="false" i])';

/** Whether the tracker requires a consent that the shopper has not given, or the shopper has withdrawn the consent. */
export function awaitsConsent(tracker: Element | null): boolean {
  return !(self.vezne?.consented ?? !tracker?.matches(ASKING));
}

/** Deletes the id, and the activities that the browser stores, also those of earlier pages. */
export function forgetVisits(): void {
  delete page[KEY];
  ignoreErrors(() => {
    delete sessionStorage[KEY];
    for (const key of Object.keys(localStorage)) if (/^vezne .*activities /.test(key)) delete localStorage[key];
  });
}

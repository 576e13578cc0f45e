import type {PurchaseKey} from './saved-order.ts';

/** The hand-off link that opened the page. `takeHandoffLink` reads it from the page's URL. */
export interface HandoffLink {
  /** The code to redeem. */
  readonly vezne: string;
  /** The offer of the order; missing if the merchant's server created the session. */
  readonly offer?: string;
  /** The bank chosen on the first device. */
  readonly bank?: string;
}

const LINK = Symbol.for('vezne handoff');
const page = globalThis as {[LINK]?: HandoffLink | undefined};

/**
 * Returns the link if it belongs to this purchase: the link and the purchase have the same offer, or both have none,
 * because the merchant's server created the session. Only one caller gets the link.
 */
export function claimHandoffLink({offer, session}: PurchaseKey): HandoffLink | undefined {
  const link = page[LINK];
  if (!link || (session ? link.offer !== undefined : link.offer !== offer)) return undefined;
  page[LINK] = undefined;
  return link;
}

/**
 * Moves a hand-off link (`#vezne=<code>&offer=<offer>&bank=<bank>`) from the page's URL to a global property, where the
 * elements find it. Call this function before other code can read, store or share the URL.
 */
export function takeHandoffLink(): void {
  const [part, fields] = /[#&?](vezne=.*)/.exec(location.hash) ?? [];
  if (!part) return;
  history.replaceState(history.state, '', location.href.slice(0, -part.length));
  page[LINK] = Object.fromEntries(new URLSearchParams(fields)) as unknown as HandoffLink;
}

/**
 * Takes the hand-off link, and reloads the page when the shopper opens another link in the same tab, because the browser
 * does not reload it if only the fragment of the URL changes. Of several scripts on a page, the first does this.
 */
export function followHandoffLinks(): void {
  if (LINK in page) return;
  page[LINK] = undefined;
  takeHandoffLink();
  addEventListener('hashchange', () => {
    if (/[#&?]vezne=/.test(location.hash)) location.reload();
  });
}

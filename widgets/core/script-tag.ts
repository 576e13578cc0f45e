import type {CheckoutPageData, SubscribePageData} from '../../worker/contract/browser/page-data.ts';

/** The global property that holds the `ScriptTag` of a page. */
export const SCRIPT_TAG = Symbol.for('vezne');

/** What the script tag provides to the elements. */
export interface ScriptTag {
  /** Address of the script's Worker, with a slash at the end. */
  readonly api: string;
  /** The prefetched requests, by path and body. The first client that uses a request removes it from the map. */
  readonly prefetched?: Map<string, PrefetchedRequest>;
  /** The kinds of elements that page scripts define. Undefined if `vezne.js` runs, which defines every other kind. */
  readonly kinds?: Set<string> | undefined;
  /** The list of banks in the page script `checkout.js`, until an element has used it. */
  banks?: CheckoutPageData['banks'];
  /** The offer in the page script `checkout.js`. */
  offer?: CheckoutPageData['offer'];
  /** The offer in the page script `subscribe.js`. */
  terms?: SubscribePageData['offer'];
}

/** A response and its body. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** A request that the script tag sent before the elements were loaded. */
export interface PrefetchedRequest {
  readonly reply: Promise<Reply>;
  /** The reply, as soon as it has arrived. An element can use it without waiting for the promise. */
  received?: Reply;
}

/** What the script tag provides on this page; undefined if the page bundles the modules instead. */
export function scriptTag(): ScriptTag | undefined {
  return (globalThis as {[SCRIPT_TAG]?: ScriptTag})[SCRIPT_TAG];
}

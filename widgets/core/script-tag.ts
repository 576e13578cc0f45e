import type {CheckoutPageData, SubscribePageData} from '../../worker/contract/browser/page-data.ts';

/** The global property that holds the `ScriptTag` of a page. */
export const SCRIPT_TAG = Symbol.for('vezne');

/**
 * Whether this build is for a page script (`checkout.js`, `subscribe.js`). The build of the files for `vezne.js`
 * replaces this value with false (`scripts/build/elements.ts`), and so leaves out the code that only page scripts need.
 * Tests import the modules directly: there, that code is present, and does nothing until a page script enables it.
 */
export const IS_PAGE_SCRIPT: boolean = true;

/** What the script tag provides to the elements. */
export interface ScriptTag {
  /** Address of the script's Worker, with a slash at the end. */
  readonly api: string;
  /** The prefetched requests, by path and body. The first client that uses a request removes it from the map. */
  readonly prefetched?: Map<string, PrefetchedRequest>;
  /**
   * The kinds of elements that page scripts define. Undefined if the page also has `vezne.js`, which defines all other
   * kinds.
   */
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

/** What the script tag provides, if the script's Worker has this address. The address has no slash at the end. */
export function scriptTagOf(address: string): ScriptTag | undefined {
  const script = scriptTag();
  return script?.api === `${address}/` ? script : undefined;
}

/** What the script tag provides on this page; undefined if the page bundles the modules instead. */
export function scriptTag(): ScriptTag | undefined {
  return (globalThis as {[SCRIPT_TAG]?: ScriptTag})[SCRIPT_TAG];
}

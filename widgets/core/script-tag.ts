import type {CheckoutPageData, SubscribePageData} from '../../worker/contract/browser/page-data.ts';

/** The global property that holds the `ScriptTag` of a page. */
export const SCRIPT_TAG = Symbol.for('vezne');

/** The kinds of elements that share code. There is one script for each kind, and one for the tracker. */
export type ElementKind = 'transfer' | 'subscription' | 'vendor';

/** What the scripts of a page share, and what they provide to the elements. */
export interface ScriptTag {
  /** Address of the Worker that served the first script, with a slash at the end. */
  readonly api: string;
  /** The kinds whose script has run. A second script of a kind does nothing. */
  readonly kinds: Set<ElementKind>;
  /** Whether `vezne.js` has run, which loads the scripts of the other kinds. */
  isFinding?: boolean;
  /** The list of banks in the page script `checkout.js`, until an element has used it. */
  banks?: CheckoutPageData['banks'];
  /** The offer in the page script `checkout.js`. */
  offer?: CheckoutPageData['offer'];
  /** The offer in the page script `subscribe.js`. */
  terms?: SubscribePageData['offer'];
}

interface Page {
  [SCRIPT_TAG]?: ScriptTag;
}

/** What the scripts of this page share. The first script of the page creates it. */
export function joinPage(scriptUrl: string): ScriptTag {
  return ((globalThis as Page)[SCRIPT_TAG] ??= {api: new URL('.', scriptUrl).href, kinds: new Set()});
}

/** What the script tag provides, if the script's Worker has this address. The address has no slash at the end. */
export function scriptTagOf(address: string): ScriptTag | undefined {
  const script = scriptTag();
  return script?.api === `${address}/` ? script : undefined;
}

/** What the script tag provides on this page; undefined if the page bundles the modules instead. */
export function scriptTag(): ScriptTag | undefined {
  return (globalThis as Page)[SCRIPT_TAG];
}

import type {CheckoutPageData, SubscribePageData} from '../../worker/contract/browser/page-data.ts';

/** The global property that holds the `ScriptTag` of a page. */
export const SCRIPT_TAG = Symbol.for('vezne');

/** The scripts of a page. `vezne.js` finds elements. Each of the others defines one kind of elements. */
export type ScriptName = 'vezne' | 'checkout' | 'subscribe' | 'vendor' | 'refund' | 'activity';

/** What the scripts of a page share, and what they provide to the elements. */
export interface ScriptTag {
  /** Address of the Worker that served the first script, with a slash at the end. */
  readonly api: string;
  /** The scripts that have run. If a script has later files, the function loads them: all, or when they are needed. */
  readonly scripts: Map<ScriptName, ((isAll: boolean) => void) | undefined>;
  /** The list of banks in the page script `checkout.js`, until an element has used it. */
  banks?: CheckoutPageData['banks'];
  /** The offer in the page script `checkout.js`. */
  offer?: CheckoutPageData['offer'];
  /** The offer in the page script `subscribe.js`. */
  terms?: SubscribePageData['offer'] | undefined;
}

interface Page {
  [SCRIPT_TAG]?: ScriptTag;
}

/** What the scripts of this page share. The first script of the page creates it. */
export function joinPage(scriptUrl: string): ScriptTag {
  return ((globalThis as Page)[SCRIPT_TAG] ??= {api: new URL('.', scriptUrl).href, scripts: new Map()});
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

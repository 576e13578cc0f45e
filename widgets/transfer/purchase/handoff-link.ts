import type {PurchaseKey} from './saved-order.ts';

/** The hand-off with which a page was opened, as `takeHandoffLink` left it. */
export interface HandoffLink {
  /** The code to redeem. */
  readonly vezne: string;
  /** The offer it is for; missing where a merchant's server made the session. */
  readonly offer?: string;
  /** The bank that was chosen. */
  readonly bank?: string;
}

const LINK = Symbol.for('vezne handoff');
const page = globalThis as {[LINK]?: HandoffLink | undefined};

/**
 * The link, if it can be meant for what is bought here: it names the offer, or none where the merchant's server made the
 * session. Whoever gets it is the only one.
 */
export function claimHandoffLink({offer, session}: PurchaseKey): HandoffLink | undefined {
  const link = page[LINK];
  if (!link || (session ? link.offer !== undefined : link.offer !== offer)) return undefined;
  page[LINK] = undefined;
  return link;
}

/**
 * A hand-off in a page's address, `#vezne=<code>&offer=<offer>&bank=<bank>`, is taken out of it before anything can
 * read, keep or share it, and left where the elements look for it. To be called before anything else runs; the script
 * tag does.
 */
export function takeHandoffLink(): void {
  const [part, fields] = /[#&](vezne=.*)/.exec(location.hash) ?? [];
  if (!part) return;
  history.replaceState(history.state, '', location.href.slice(0, -part.length));
  Object.assign(globalThis, {[LINK]: Object.fromEntries(new URLSearchParams(fields))});
}

/** A link opened in a tab that shows this page already does not load it again by itself. */
export function followHandoffLinks(): void {
  addEventListener('hashchange', () => {
    if (/[#&]vezne=/.test(location.hash)) location.reload();
  });
}

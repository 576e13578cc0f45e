/** The hand-off with which a page was opened, as `handoff/take-link.ts` left it. */
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
 * The link, if it is for this offer; one that names none is for a session of the merchant's server (`''`). Whoever
 * gets it is the only one.
 */
export function claimHandoff(offer: string): HandoffLink | undefined {
  const link = page[LINK];
  if (!link || (link.offer ?? '') !== offer) return undefined;
  page[LINK] = undefined;
  return link;
}

/** Address that opens this page with the same order elsewhere. Whatever the page has in its own fragment stays. */
export function handoffAddress(link: HandoffLink): string {
  const fields = new URLSearchParams({...link});
  return location.href + (location.hash ? '&' : location.href.endsWith('#') ? '' : '#') + fields;
}

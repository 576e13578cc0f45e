import type {PurchaseKey} from './saved-order.ts';

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
 * The link, if it can be meant for what is bought here: it names the offer, or none where the merchant's server made the
 * session. Whoever gets it is the only one.
 */
export function claimHandoff({offer, session}: PurchaseKey): HandoffLink | undefined {
  const link = page[LINK];
  if (!link || (session ? link.offer !== undefined : link.offer !== offer)) return undefined;
  page[LINK] = undefined;
  return link;
}

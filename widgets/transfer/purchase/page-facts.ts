/** What a page says of an order. */

import type {PageFactsInput} from '../../../worker/contract/browser/page-facts.ts';
import {mayTrack} from './may-track.ts';
import type {PurchaseKey} from './saved-order.ts';

const UTM = /^utm_(source|medium|campaign|term|content)$/;
/** `gclid`, `fbclid`, `msclkid`, `ttclid`, `gbraid`, `wbraid`, `twclid`, `yclid`, `li_fat_id`, … */
const CLICK_ID = /^\w{0,35}(clid|clkid|braid|_fat_id)$/i;
const REFERENCE_ID = /^[\w-]{1,200}$/;
const MAX_LENGTH = 200;
const MAX_CLICK_IDS = 10;

/**
 * What the page says of the order of the elements for this offer or session: their attributes `reference` and
 * `metadata`, and the campaign in the page's address. The address names a visit only if the shopper has consented to
 * tracking.
 */
export function pageFacts(root: ParentNode | undefined, key: PurchaseKey): PageFactsInput | undefined {
  const elements = [...(root?.querySelectorAll('[reference],[metadata]') ?? [])].filter((element) => {
    const {session, offer} = element as Partial<PurchaseKey>;
    // As in `findPurchase`, a session has its own offer.
    return session ? session === key.session : (offer ?? '') === key.offer;
  });
  const query = [...new URLSearchParams(location.search)];
  const named = (pattern: RegExp, prefix = '') =>
    query.flatMap(([name, value]) =>
      pattern.test(name) && value ? [[name.slice(prefix.length), cut(value)] as const] : [],
    );
  const visit = mayTrack() ? named(CLICK_ID).slice(0, MAX_CLICK_IDS) : [];
  const [client] = mayTrack() ? named(/^client_reference_id$/) : [];
  const attribute = (name: string) => elements.map((element) => element.getAttribute(name)).find(Boolean);
  const reference = cut(attribute('reference') ?? '');
  const metadata = readMetadata(attribute('metadata'));
  const utm = named(UTM, 'utm_');
  const facts = {
    ...(reference && {reference}),
    ...(metadata && {metadata}),
    ...(utm.length > 0 && {utm: Object.fromEntries(utm)}),
    ...(visit.length > 0 && {click_ids: Object.fromEntries(visit)}),
    ...(client && REFERENCE_ID.test(client[1]) && {client_reference_id: client[1]}),
  };
  return Object.keys(facts).length > 0 ? facts : undefined;
}

/** At most 200 characters, none of which is half a character. */
function cut(text: string): string {
  return [...text].slice(0, MAX_LENGTH).join('');
}

/** @param text - JSON such as `{"size": "L"}`. A mistake must not stop the sale, so the page's developer learns of it. */
function readMetadata(text: string | undefined | null): Record<string, string> | undefined {
  if (!text) return undefined;
  try {
    const entries = Object.entries(JSON.parse(text) as object)
      .slice(0, 10)
      .map(([name, value]) => [name, cut(String(value))] as const)
      .filter(([name, value]) => /^[\w.-]{1,40}$/.test(name) && value);
    return entries.length > 0 ? Object.fromEntries(entries) : undefined;
  } catch {
    console.error(`Vezne: metadata is not JSON such as {"size":"L"}: ${text}`);
    return undefined;
  }
}

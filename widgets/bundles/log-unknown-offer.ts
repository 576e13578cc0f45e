/** A lazy bundle: logs in the console why an element cannot sell its offer. */

const logged = new Set<string>();

/** Tells the developer once, in the console, why the element cannot sell this offer. */
export function logUnknownOffer(offer: string, kind?: string): void {
  const note = offerNote(offer, kind);
  if (!logged.has(note)) console.error(note);
  logged.add(note);
}

/**
 * The console message for a page's developer if the element's offer is missing or has a different kind, or if the
 * kind is `session`, and the Worker does not accept the element's session. It is in
 * English only, like a browser's own messages.
 */
function offerNote(offer: string, kind?: string): string {
  if (kind === 'session') return 'Vezne: the Worker did not sign this session, or the token was cut or changed.';
  if (!offer) return 'Vezne: an element has neither offer nor session.';
  if (!kind) return `Vezne: there is no offer "${offer}" in OFFERS.`;
  const element = kind === 'subscription' ? '<vezne-pin-subscribe>' : '<vezne-checkout>';
  return `Vezne: "${offer}" is a ${kind} offer; ${element} takes it.`;
}

/**
 * The console message for a page's developer if the element's offer is missing or has a different kind. It is in
 * English only, like a browser's own messages.
 */
export function offerNote(offer: string, kind?: string): string {
  if (!offer) return 'Vezne: an element has neither offer nor session.';
  if (!kind) return `Vezne: there is no offer "${offer}" in OFFERS.`;
  const element = kind === 'subscription' ? '<vezne-pin-subscribe>' : '<vezne-checkout>';
  return `Vezne: "${offer}" is a ${kind} offer; ${element} takes it.`;
}

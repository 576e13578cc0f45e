import {offerNote} from '../locales/offer-note.ts';

const logged = new Set<string>();

/** Tells the developer once why nothing is sold under that name. Loaded only where it is needed. */
export function logUnknownOffer(offer: string, kind?: string): void {
  const note = offerNote(offer, kind);
  // oxlint-disable-next-line no-console -- there is nowhere else for a developer to look
  if (!logged.has(note)) console.error(note);
  logged.add(note);
}

import {offerNote} from '../locales/offer-note.ts';

const noted = new Set<string>();

/** Tells the developer once why nothing is sold under that name. Loaded only where it is needed. */
export function noteOffer(offer: string, kind?: string): void {
  const note = offerNote(offer, kind);
  // oxlint-disable-next-line no-console -- there is nowhere else for a developer to look
  if (!noted.has(note)) console.error(note);
  noted.add(note);
}

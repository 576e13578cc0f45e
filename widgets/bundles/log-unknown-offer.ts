/** A lazy bundle: logs in the console why an element cannot sell its offer. */

import {offerNote} from '../locales/offer-note.ts';

const logged = new Set<string>();

/** Tells the developer once, in the console, why the element cannot sell this offer. */
export function logUnknownOffer(offer: string, kind?: string): void {
  const note = offerNote(offer, kind);
  // oxlint-disable-next-line no-console -- the only place where a developer can read it
  if (!logged.has(note)) console.error(note);
  logged.add(note);
}

/** Saves what `saved-pin.ts` reads. */

import {ignoreErrors} from '../core/ignore-errors.ts';
import type {OfferSource} from './offer.ts';
import {savedStepKey, type SavedPin, type SavedStart} from './saved-pin.ts';

/** Saves the step, or deletes it if it is undefined. */
export function saveStep(api: string, source: OfferSource, step: SavedPin | SavedStart | undefined): void {
  const key = savedStepKey(api, source);
  ignoreErrors(() => {
    if (step) sessionStorage[key] = JSON.stringify(step);
    else delete sessionStorage[key];
  });
}

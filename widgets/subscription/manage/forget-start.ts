import {ignoreErrors} from '../../core/ignore-errors.ts';
import type {SavedStart} from '../saved-pin.ts';

/** Deletes what is saved about started subscriptions of a masked number, whichever offer they are of. */
export function forgetStart(api: string, msisdn: string | null | undefined): void {
  ignoreErrors(() => {
    for (const key of Object.keys(sessionStorage)) {
      const saved: unknown = key.startsWith(`vezne pin ${api} `) && JSON.parse(sessionStorage[key] as string);
      if (saved && (saved as SavedStart).startedAt && (saved as SavedStart).msisdn === msisdn)
        delete sessionStorage[key];
    }
  });
}

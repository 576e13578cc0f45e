/**
 * The outcomes with which the shopper has returned from the platform's pages. They are saved until the tab is closed, so
 * that the button requests a new payment page after a failure, even if the page is reloaded.
 */

import {ignoreErrors} from '../../core/storage.ts';

export function savedOutcome(key: string): string | undefined {
  let saved: string | undefined;
  ignoreErrors(() => (saved = sessionStorage[key]));
  return saved;
}

/** Saves an outcome, if the browser allows it. */
export function saveOutcome(key: string, outcome: string): void {
  ignoreErrors(() => (sessionStorage[key] = outcome));
}

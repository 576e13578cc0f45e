import {ASKING} from '../../core/ids.ts';

/**
 * Whether the page may name the shopper's visit to others: what `vezne.consent()` and `vezne.withdrawConsent()` have
 * said; before them, whether the page has a tracker, and no tracker that asks.
 */
export function mayTrack(): boolean {
  const asking = document.querySelector(`vezne-activity${ASKING}`);
  return self.vezne?.consented ?? (!asking && !!document.querySelector('vezne-activity'));
}

import {comeFrom, consent, VezneActivity} from './vezne-activity.ts';

declare global {
  interface Document {
    /** Whether the page is made ready before anybody asked for it; not known to every browser. */
    readonly prerendering?: boolean;
  }
}

const TAG = 'vezne-activity';

/**
 * Registers the tracker for this page, and `vezne.consent()` for its consent banner.
 * @param api address of the script's Worker, with a slash at the end.
 */
export function defineActivity(api: string): void {
  if (customElements.get(TAG)) return;
  comeFrom(api);
  (self.vezne ??= {}).consent = consent;
  customElements.define(TAG, VezneActivity);
}

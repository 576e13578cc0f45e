import {ignoreErrors} from './storage.ts';

declare global {
  interface Window {
    /** What a page may ask of our scripts, and whether it did: before they have come it makes this itself. */
    vezne?: {consent?: () => void; consented?: boolean};
  }
}

/** Under which name the tab keeps its id. */
const KEY = 'vezne tracking';
const MAX_LENGTH = 255;

/** Where the id is for as long as the page is open: not in this module, of which files of several kinds have a copy. */
const page = self as {[KEY]?: string};

/** An id for this page view alone, which is kept nowhere. A visit that may be followed later goes on with it. */
export function pageViewId(): string {
  return (page[KEY] ||= randomId());
}

/**
 * The id under which a visit is followed through the funnel: what the campaign wrote into the page's address, else
 * the one this visit had before, else a new one. It is kept for as long as the tab is open; where storage is blocked,
 * as long as the page.
 * @param parameter of the address that carries the campaign's id; `tracking_id` where none is named.
 */
export function trackingId(parameter: string | null): string {
  ignoreErrors(() => (page[KEY] ||= sessionStorage[KEY] as string));
  page[KEY] =
    new URL(location.href).searchParams
      .get(parameter || 'tracking_id')
      ?.replace(/[^!-~]/g, '')
      .slice(0, MAX_LENGTH) ||
    page[KEY] ||
    randomId();
  ignoreErrors(() => (sessionStorage[KEY] = page[KEY]));
  return page[KEY];
}

/** Text nobody can guess; also on pages that are not served over https, where `crypto.randomUUID` is missing. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}

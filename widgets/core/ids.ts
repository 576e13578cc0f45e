import {ignoreErrors} from './storage.ts';

declare global {
  interface Window {
    /**
     * How a page reports the visitor's consent to tracking: it calls `consent`, which sets `consented`. The page may
     * create this object before the script has loaded.
     */
    vezne?: {consent?: () => void; consented?: boolean};
  }
}

/** Key of the id in `sessionStorage` and on the global object. */
const KEY = 'vezne tracking';
const MAX_LENGTH = 255;

/** Holds the id while the page is open. A variable of this module would not do: several built files contain a copy. */
const page = self as {[KEY]?: string};

/** An id for this page view only; it is not stored. If tracking is allowed later, `trackingId` continues with it. */
export function pageViewId(): string {
  return (page[KEY] ||= randomId());
}

/**
 * The id that links the steps of one visit: the campaign's id in the page's address, otherwise the id this visit
 * already has, otherwise a new id. It is kept while the tab is open, or while the page is open if storage is blocked.
 * @param parameter the URL parameter with the campaign's id; `tracking_id` by default.
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

/** An unguessable id. It also works on pages without https, where `crypto.randomUUID` is missing. */
export function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join('');
}

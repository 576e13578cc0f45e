/** What `vezne.js` and the page scripts have in common: they load files of elements when a page needs them. */

/** The kinds of elements. Bundles of one kind share files. */
export type ElementKind = 'transfer' | 'subscription' | 'vendor';

/** A file that defines elements. */
export interface Bundle {
  readonly tags: string;
  readonly load: () => Promise<unknown>;
  /** The tracker has no kind, because pages use it together with any kind. */
  readonly kind?: ElementKind;
}

/** The time after which a file that did not load is fetched again. */
export const RETRY_MS = 5_000;

/**
 * Calls `loadNeeded` now and after every change of the page, because a page may add elements later. A script cannot look
 * into the shadow roots of other components, so only elements of the document itself are found.
 */
export function watchPage(loadNeeded: () => void): void {
  new MutationObserver(loadNeeded).observe(document, {childList: true, subtree: true});
  loadNeeded();
}

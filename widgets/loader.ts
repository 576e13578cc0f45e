/** Loads files of elements when a page needs them. `vezne.js` finds page scripts with it, and page scripts their files. */

/** A file that defines elements. */
export interface Bundle {
  readonly tags: string;
  readonly load: () => Promise<unknown>;
}

/** The time after which a file that did not load is fetched again. */
const RETRY_MS = 5_000;

/**
 * Loads each bundle as soon as the page contains one of its elements: now, or after a later change of the page. A script
 * cannot look into the shadow roots of other components, so only elements of the document itself are found. For other
 * elements, the script's address ends in `#all`: then every bundle is loaded at once.
 */
export function loadWhenNeeded(script: string, bundles: readonly Bundle[], onFailure?: () => unknown): void {
  const isAll = script.endsWith('#all');
  const pending = new Set(bundles);
  const loadNeeded = () => {
    for (const bundle of pending) {
      const element = document.querySelector(bundle.tags) ?? undefined;
      if (!element && !isAll) continue;
      pending.delete(bundle);
      bundle.load().catch(() => {
        onFailure?.();
        const failure = new Event('vezne-error', {bubbles: true, composed: true});
        (element ?? document.documentElement).dispatchEvent(Object.assign(failure, {code: 'network', retryable: true}));
        setTimeout(() => {
          pending.add(bundle);
          loadNeeded();
        }, RETRY_MS);
      });
    }
  };
  new MutationObserver(loadNeeded).observe(document, {childList: true, subtree: true});
  loadNeeded();
}

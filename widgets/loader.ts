/** Loads the files of the elements that a page contains, now and later. Every script that a page loads uses it. */

/** The kinds of elements. Bundles of one kind share files. */
export type ElementKind = 'transfer' | 'subscription' | 'vendor';

/** A file that defines elements. */
export interface Bundle {
  readonly tags: string;
  readonly load: () => Promise<unknown>;
  /** The tracker has no kind, because pages use it together with any kind. */
  readonly kind?: ElementKind;
}

interface LoaderOptions {
  /** Loads every bundle with one file; undefined if each bundle is loaded by itself. */
  readonly loadAll?: (needed: readonly Bundle[]) => (() => Promise<unknown>) | undefined;
  /** Called when a bundle is being fetched, with the element that needs it. */
  readonly onFetch?: (element: Element) => void;
  /** Called when a bundle could not be fetched. */
  readonly onFailure?: () => void;
}

const RETRY_MS = 5_000;

/** Loads the bundles that the elements on the page need, and looks again after every change of the page. */
export function loadBundles(bundles: readonly Bundle[], {loadAll, onFetch, onFailure}: LoaderOptions = {}): void {
  /** The bundles that are neither loaded nor being loaded. */
  const pending = new Set(bundles);

  const loadNeeded = (): void => {
    const needed = [...pending].filter(({tags}) => document.querySelector(tags));
    const fetchAll = pending.size > 0 && loadAll?.(needed);
    if (fetchAll) void load([...pending], fetchAll);
    else for (const bundle of needed) void load([bundle], bundle.load);
  };

  const load = async (loaded: readonly Bundle[], fetchBundle: () => Promise<unknown>): Promise<void> => {
    for (const bundle of loaded) pending.delete(bundle);
    const loading = fetchBundle();
    const element = document.querySelector(loaded.map(({tags}) => tags).join()) ?? document.body;
    onFetch?.(element);
    try {
      await loading;
    } catch {
      const failure = new Event('vezne-error', {bubbles: true, composed: true});
      element.dispatchEvent(Object.assign(failure, {code: 'network', retryable: true}));
      onFailure?.();
      setTimeout(() => {
        for (const bundle of loaded) pending.add(bundle);
        loadNeeded();
      }, RETRY_MS);
    }
  };

  new MutationObserver(loadNeeded).observe(document, {childList: true, subtree: true});
  loadNeeded();
}

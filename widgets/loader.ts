/** Loads files of elements when a page needs them. `vezne.js` finds page scripts with it, and page scripts their files. */

/**
 * Loads each file as soon as the page contains one of its elements: now, or after a later change of the page. A script
 * cannot look into the shadow roots of other components, so only elements of the document itself are found. A file that
 * did not load is loaded again after 5 seconds, 10 seconds and so on, but not while nobody sees the page.
 * @param files - By the tags of their elements.
 * @param load - Rejects with `{retryable: false}` if the file will not load later either. Attempts begin with 1.
 * @param isAll - Whether all files are loaded at once, for elements that cannot be found.
 */
export function loadWhenNeeded<File>(
  files: readonly (readonly [tags: string, file: File])[],
  load: (file: File, tags: string, attempt: number) => Promise<unknown>,
  isAll: boolean,
): void {
  const pending = new Map(files);
  const loadNeeded = () => {
    for (const [tags, file] of pending) {
      const element = document.querySelector(isAll ? ':root' : tags);
      if (!element) continue;
      pending.delete(tags);
      const tryLoad = (attempt: number): unknown =>
        load(file, tags, attempt).catch(({retryable = true}) => {
          element.dispatchEvent(Object.assign(new Event('vezne-error', {bubbles: true}), {code: 'network', retryable}));
          if (!retryable) return;
          const timer = setInterval(() => {
            if (!document.hidden) {
              clearInterval(timer);
              tryLoad(attempt + 1);
            }
          }, attempt * 5_000);
        });
      tryLoad(1);
    }
    if (!pending.size) observer.disconnect();
  };
  const observer = new MutationObserver(loadNeeded);
  observer.observe(document, {childList: true, subtree: true});
  loadNeeded();
}

/**
 * A page can have elements for several cases, of which it shows one: the page's address says which. The others are
 * removed before the script of the elements runs, so that only the elements of this case start.
 */

/** Keeps the parts with `data-variant="<name>"`, and removes those of every other variant. */
export function keepVariant(name: string): void {
  for (const part of document.querySelectorAll<HTMLElement>('[data-variant]')) {
    if (part.dataset['variant'] === name) part.hidden = false;
    else part.remove();
  }
}

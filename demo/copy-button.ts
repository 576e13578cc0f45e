/** Source code on the demo's pages that works when it is pasted into another page, with a copy button below it. */

const DONE_MS = 2000;

/**
 * Writes the address of the running Worker into the source code, and connects every copy button with the code before
 * it. The buttons appear only if the browser can copy.
 */
export function openCopyButtons(): void {
  for (const address of document.querySelectorAll('[data-origin]')) address.textContent = location.origin;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button.copy')) {
    const code = button.previousElementSibling?.textContent ?? '';
    const label = button.textContent ?? '';
    button.hidden = !navigator.clipboard;
    button.ariaLive = 'polite';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(code);
      button.textContent = button.dataset['copied'] ?? label;
      setTimeout(() => (button.textContent = label), DONE_MS);
    });
  }
}

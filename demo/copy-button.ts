/** A copy button below each source code of the demo's pages. */

const DONE_MS = 2000;

/** Connects every copy button with the code before it. The buttons appear only if the browser can copy. */
export function openCopyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copied]')) {
    const label = button.textContent ?? '';
    if (!navigator.clipboard) button.hidden = true;
    button.ariaLive = 'polite';
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(button.previousElementSibling?.textContent ?? '');
      button.textContent = button.dataset['copied'] ?? label;
      setTimeout(() => (button.textContent = label), DONE_MS);
    });
  }
}

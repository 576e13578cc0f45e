/** The copy button below a piece of source code. It appears only if the browser can copy. */

const DONE_MS = 2000;

/** Connects every copy button of the page with the code before it. */
export function openCopyButtons(): void {
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

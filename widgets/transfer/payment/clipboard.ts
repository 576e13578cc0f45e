/** Copies and shares text, in every browser. */

/**
 * Copies text to the clipboard. In-app browsers, and all browsers on pages without https, refuse the Clipboard API. In
 * that case, this function copies from a temporary field with `execCommand`. Safari ignores a selection inside a shadow
 * root, so the field is outside all shadow roots.
 * @returns Whether the text was copied.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

/** Whether the browser has a dialog that shares a text, such as with a messenger, and this page may open the dialog. */
export function canShare(): boolean {
  return 'share' in navigator && navigator.canShare?.({text: ' '}) !== false;
}

/**
 * Opens the browser's dialog that shares the text. If the browser has no such dialog, calls `copy`. Some in-app
 * browsers and frames have the dialog but refuse to open it; then this function calls `copy` too.
 */
export async function shareText(text: string, copy: () => Promise<unknown>): Promise<unknown> {
  if (!canShare()) return copy();
  try {
    await navigator.share({text});
  } catch (thrown) {
    // A shopper who closes the dialog wants nothing else.
    if (!(thrown instanceof DOMException && thrown.name === 'AbortError')) await copy();
  }
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  // For a read-only field, a phone opens no keyboard. For text of 16 px, iOS does not zoom in.
  field.readOnly = true;
  Object.assign(field.style, {position: 'fixed', insetBlockStart: '0', opacity: '0', fontSize: '16px'});
  let copied = false;
  // Listeners of the page may change the copied text, so this listener runs first and stops the event.
  const onCopy = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  const previousFocus = deepActiveElement();
  // While a modal dialog is open, only elements inside it can get the focus.
  (document.querySelector(':modal') ?? document.body).append(field);
  field.focus({preventScroll: true});
  field.setSelectionRange(0, text.length);
  document.addEventListener('copy', onCopy, true);
  try {
    copied = document.execCommand('copy') && copied;
  } catch {
    copied = false;
  }
  document.removeEventListener('copy', onCopy, true);
  field.remove();
  previousFocus?.focus({preventScroll: true});
  return copied;
}

/** The focused element, even if it is inside a shadow root. */
function deepActiveElement(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement | null;
}

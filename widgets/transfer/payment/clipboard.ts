/**
 * Puts text on the clipboard. In-app browsers and plain http refuse the modern way, so the old one follows: a field
 * that holds exactly the text, for as long as the copy takes. Safari sees no selection inside a shadow, so it stands outside of all.
 */
export async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyFromField(text);
  }
}

function copyFromField(text: string): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  // What cannot be edited calls no keyboard; letters of 16 px do not make iOS zoom.
  field.readOnly = true;
  Object.assign(field.style, {position: 'fixed', insetBlockStart: '0', opacity: '0', fontSize: '16px'});
  let copied = false;
  // The page may listen to copies too, and change them.
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  const before = focused();
  // All but an open dialog is out of reach.
  (document.querySelector(':modal') ?? document.body).append(field);
  field.focus({preventScroll: true});
  field.setSelectionRange(0, text.length);
  document.addEventListener('copy', give, true);
  try {
    copied = document.execCommand('copy') && copied;
  } catch {
    copied = false;
  }
  document.removeEventListener('copy', give, true);
  field.remove();
  before?.focus({preventScroll: true});
  return copied;
}

/** What has the focus, through all shadows. */
function focused(): HTMLElement | null {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement;
  return active as HTMLElement | null;
}

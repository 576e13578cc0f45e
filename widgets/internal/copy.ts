/**
 * Puts text on the clipboard. In-app browsers and plain http refuse the modern way, so the old one follows: what
 * is shown gets selected, and the copy that results is given the exact text. Where both are refused the selection
 * stays, ready to be copied by hand.
 */
export async function copy(text: string, shown: Node): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copySelected(text, shown);
  }
}

function copySelected(text: string, shown: Node): boolean {
  let copied = false;
  const give = (event: ClipboardEvent) => {
    event.clipboardData?.setData('text/plain', text);
    event.preventDefault();
    event.stopImmediatePropagation();
    copied = true;
  };
  const selection = getSelection();
  selection?.selectAllChildren(shown);
  document.addEventListener('copy', give, true);
  try {
    copied = document.execCommand('copy') && copied;
  } catch {
    copied = false;
  }
  document.removeEventListener('copy', give, true);
  if (copied) selection?.removeAllRanges();
  return copied;
}

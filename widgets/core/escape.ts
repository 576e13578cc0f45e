/** Whether the shopper pressed Escape. Keeps a dialog around the element open, which the browser would close too. */
export function isEscape(event: KeyboardEvent): boolean {
  if (event.key !== 'Escape' || event.isComposing) return false;
  event.stopPropagation();
  event.preventDefault();
  return true;
}

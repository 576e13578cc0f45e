/**
 * Changes the texts around the form when the element shows its link to the subscription. The element shows the link
 * after the shopper has subscribed, also after a reload, and for a number that is already subscribed.
 */

/** Starts to observe the link in the slot `manage`, if the page has this link. */
export function watchJoined(): void {
  const link = document.querySelector<HTMLElement>('[slot=manage]');
  const heading = document.querySelector<HTMLElement>('#join-heading');
  const otherLinks = document.querySelector<HTMLElement>('.pay > .aside-links');
  if (!link || !heading) return;
  const {textContent: join} = heading;
  new ResizeObserver(() => {
    const isJoined = link.getClientRects().length > 0;
    heading.textContent = isJoined ? (heading.dataset['joined'] ?? '') : join;
    if (otherLinks) otherLinks.hidden = isJoined;
  }).observe(link);
}

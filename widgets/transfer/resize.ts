import type {LitElement} from 'lit';

/**
 * Renders an element again when a resize has made outdated what it shows. This happens in the next frame, because a
 * change of the size in the same frame would be reported as an error of the page.
 * @param isOutdated - Compares with what is rendered, because other changes render the element at its new size too.
 */
export function renderWhenResized(host: LitElement, isOutdated: () => boolean): void {
  const check = (): void => {
    if (isOutdated()) host.requestUpdate();
  };
  // Simulated browsers, in which merchants run tests, have no sizes.
  if (globalThis.ResizeObserver) new ResizeObserver(() => requestAnimationFrame(check)).observe(host);
}

/** Whether the shopper has a mouse. Asked before a width: on a phone, a width costs a layout and would change nothing. */
export function hasMouse(): boolean {
  return !!globalThis.matchMedia?.('(hover) and (pointer: fine)').matches;
}

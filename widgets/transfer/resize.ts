import type {LitElement} from 'lit';

/**
 * Renders an element again when a resize changes the answer to a question about its size, which is no before the first
 * rendering. This happens in the next frame, because a change of the size in the same frame would be reported as an
 * error of the page.
 */
export function renderWhenResized(host: LitElement, ask: () => boolean): void {
  let answer = false;
  const check = (): void => {
    if (ask() === answer) return;
    answer = !answer;
    host.requestUpdate();
  };
  // Simulated browsers, in which merchants run tests, have no sizes.
  if (globalThis.ResizeObserver) new ResizeObserver(() => requestAnimationFrame(check)).observe(host);
}

/** Whether the shopper has a mouse. Asked before a width: on a phone, a width costs a layout and would change nothing. */
export function hasMouse(): boolean {
  return !!globalThis.matchMedia?.('(hover) and (pointer: fine)').matches;
}

import type {LitElement, ReactiveController} from 'lit';

/** Knows whether the shopper has seen the host. Renders the host once more when it comes into view. */
export class ViewController implements ReactiveController {
  /** Whether the host has been in view since it was added to the page. */
  isSeen = false;
  /** Simulated browsers, in which merchants run tests, show nothing. */
  readonly #observer = globalThis.IntersectionObserver
    ? new IntersectionObserver((entries) => this.#onIntersection(entries))
    : undefined;

  constructor(readonly host: LitElement) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer?.observe(this.host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  #onIntersection(entries: readonly IntersectionObserverEntry[]): void {
    if (!entries.some(({isIntersecting}) => isIntersecting)) return;
    this.isSeen = true;
    this.hostDisconnected();
    this.host.requestUpdate();
  }
}

/** Whether the page has put content into the default slot of the host. */
export function hasOwnLabel(host: Element): boolean {
  return Array.from(host.childNodes).some((node) =>
    node instanceof Element ? !node.slot : node instanceof Text && node.data.trim() !== '',
  );
}

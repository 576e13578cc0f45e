import type {ReactiveController, ReactiveControllerHost} from 'lit';

/**
 * A controller that calls `onRestored` and renders the host again when the browser shows the page from the back-forward
 * cache, in which the elements are as they were when the shopper left.
 */
export class RestoredPage implements ReactiveController {
  constructor(
    readonly host: ReactiveControllerHost,
    readonly onRestored: () => void,
  ) {}

  hostConnected(): void {
    addEventListener('pageshow', this.#onShow);
  }

  hostDisconnected(): void {
    removeEventListener('pageshow', this.#onShow);
  }

  readonly #onShow = ({persisted}: PageTransitionEvent): void => {
    if (!persisted) return;
    this.onRestored();
    this.host.requestUpdate();
  };
}

import type {ReactiveController, ReactiveControllerHost} from 'lit';

/** Renders its host once a second while the host shows a running timer. */
export class Countdown implements ReactiveController {
  #tick: ReturnType<typeof setInterval> | undefined;

  /**
   * @param host - The element that shows the timer.
   * @param isRunning - Whether the host shows a time that is not over yet. It is called after each update.
   */
  constructor(
    readonly host: ReactiveControllerHost,
    readonly isRunning: () => boolean,
  ) {}

  hostUpdated(): void {
    if (this.isRunning()) this.#tick ??= setInterval(() => this.host.requestUpdate(), 1_000);
    else this.hostDisconnected();
  }

  hostDisconnected(): void {
    clearInterval(this.#tick);
    this.#tick = undefined;
  }
}

import type {ReactiveController, ReactiveControllerHost} from 'lit';

/** Renders its host once a second for as long as something runs out. */
export class Countdown implements ReactiveController {
  #tick: ReturnType<typeof setInterval> | undefined;

  constructor(
    readonly host: ReactiveControllerHost,
    /** Whether anything does. */
    readonly runs: () => boolean,
  ) {}

  hostUpdated(): void {
    if (this.runs()) this.#tick ??= setInterval(() => this.host.requestUpdate(), 1_000);
    else this.hostDisconnected();
  }

  hostDisconnected(): void {
    clearInterval(this.#tick);
    this.#tick = undefined;
  }
}

/** `83000` → `1:23`. */
export function minutes(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

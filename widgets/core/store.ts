import type {ReactiveController, ReactiveControllerHost} from 'lit';
import type {Watched} from './watched.ts';

/** Renders its host again whenever what it watches changes; what that is may change with the host's attributes. */
export class Watching<T extends Watched> implements ReactiveController {
  #target: T | undefined;
  #leave: (() => void) | undefined;
  #connected = false;

  constructor(
    readonly host: ReactiveControllerHost,
    readonly find: () => T | undefined,
    /** Told of every change, and of another target, outside of rendering. */
    readonly changed: (target: T | undefined) => void = () => {},
  ) {
    host.addController(this);
  }

  get target(): T | undefined {
    return this.#target;
  }

  hostConnected(): void {
    this.#connected = true;
    this.hostUpdate();
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    const target = this.#connected ? this.find() : undefined;
    if (target === this.#target) return;
    const leave = this.#leave;
    this.#target = target;
    this.#leave = target?.watch(() => this.#onChange());
    leave?.();
    this.changed(target);
  }

  hostDisconnected(): void {
    this.#connected = false;
    this.#leave?.();
    this.#leave = undefined;
    this.#target = undefined;
  }

  #onChange(): void {
    this.changed(this.#target);
    this.host.requestUpdate();
  }
}

import type {ReactiveController, ReactiveControllerHost} from 'lit';

/**
 * Something several elements look at. It begins with the first who watches and ends when the last has left,
 * which is judged a moment later: an element that is moved leaves and comes back at once.
 */
export abstract class Watched {
  readonly #watchers = new Set<() => void>();
  #running = false;

  /** Calls back on every change until the returned function is called. */
  watch(changed: () => void): () => void {
    // A function of our own, so that the same callback may watch twice.
    const watcher = () => changed();
    this.#watchers.add(watcher);
    if (!this.#running) {
      this.#running = true;
      this.start();
    }
    return () => {
      this.#watchers.delete(watcher);
      queueMicrotask(() => {
        if (this.#watchers.size > 0 || !this.#running) return;
        this.#running = false;
        this.stop();
      });
    };
  }

  protected get running(): boolean {
    return this.#running;
  }

  protected changed(): void {
    // A copy: who watches may change while they are told.
    for (const watcher of Array.from(this.#watchers)) watcher();
  }

  protected start(): void {}
  protected stop(): void {}
}

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

import type {ReactiveController, ReactiveControllerHost} from 'lit';

/**
 * Something several elements look at. It begins with the first who watches and ends when the last has left,
 * which is judged a moment later: an element that is moved leaves and comes back at once.
 */
export abstract class Store {
  readonly #subscribers = new Set<() => void>();
  #isActive = false;

  /** Calls back on every change until the returned function is called. */
  subscribe(changed: () => void): () => void {
    // A function of our own, so that the same callback may watch twice.
    const watcher = () => changed();
    this.#subscribers.add(watcher);
    if (!this.#isActive) {
      this.#isActive = true;
      this.start();
    }
    return () => {
      this.#subscribers.delete(watcher);
      queueMicrotask(() => {
        if (this.#subscribers.size > 0 || !this.#isActive) return;
        this.#isActive = false;
        this.stop();
      });
    };
  }

  protected get isActive(): boolean {
    return this.#isActive;
  }

  protected notify(): void {
    // A copy: who watches may change while they are told.
    for (const watcher of Array.from(this.#subscribers)) watcher();
  }

  protected start(): void {}
  protected stop(): void {}
}

/** Renders its host again whenever what it watches changes; what that is may change with the host's attributes. */
export class StoreController<T extends Store> implements ReactiveController {
  #store: T | undefined;
  #unsubscribe: (() => void) | undefined;
  #isConnected = false;

  constructor(
    readonly host: ReactiveControllerHost,
    readonly findStore: () => T | undefined,
    /** Told of every change, and of another target, outside of rendering. */
    readonly onChange: (target: T | undefined) => void = () => {},
  ) {
    host.addController(this);
  }

  get store(): T | undefined {
    return this.#store;
  }

  hostConnected(): void {
    this.#isConnected = true;
    this.hostUpdate();
    this.host.requestUpdate();
  }

  hostUpdate(): void {
    const target = this.#isConnected ? this.findStore() : undefined;
    if (target === this.#store) return;
    const leave = this.#unsubscribe;
    this.#store = target;
    this.#unsubscribe = target?.subscribe(() => this.#onChange());
    leave?.();
    this.onChange(target);
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#unsubscribe?.();
    this.#unsubscribe = undefined;
    this.#store = undefined;
  }

  #onChange(): void {
    this.onChange(this.#store);
    this.host.requestUpdate();
  }
}

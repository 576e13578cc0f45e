import type {ReactiveController, ReactiveControllerHost} from 'lit';

/**
 * Something several elements look at. It begins with the first who watches and ends when the last has left,
 * which is judged a moment later: an element that is moved leaves and comes back at once.
 */
export abstract class Store {
  readonly #subscribers = new Set<() => void>();
  #isActive = false;

  /** Calls back on every change until the returned function is called. */
  subscribe(onChange: () => void): () => void {
    // A function of our own, so that the same callback may subscribe twice.
    const subscriber = () => onChange();
    this.#subscribers.add(subscriber);
    if (!this.#isActive) {
      this.#isActive = true;
      this.start();
    }
    return () => {
      this.#subscribers.delete(subscriber);
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
    // A copy: the subscribers may change while they are called.
    for (const subscriber of Array.from(this.#subscribers)) subscriber();
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
    /** Told of every change, and of another store, outside of rendering. */
    readonly onChange: (store: T | undefined) => void = () => {},
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
    const store = this.#isConnected ? this.findStore() : undefined;
    if (store === this.#store) return;
    const unsubscribe = this.#unsubscribe;
    this.#store = store;
    this.#unsubscribe = store?.subscribe(() => this.#onChange());
    unsubscribe?.();
    this.onChange(store);
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

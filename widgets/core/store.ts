import type {ReactiveController, ReactiveControllerHost} from 'lit';

/**
 * A value that several elements observe. The store starts with its first subscriber and stops after the last subscriber
 * has left. An element that is moved in the page unsubscribes and immediately subscribes again. So the store checks one
 * microtask later whether it has a subscriber, and stops only if it has none.
 */
export abstract class Store {
  /** The store that contains this one. It changes whenever this store changes. */
  owner: Store | undefined;
  readonly #subscribers = new Set<() => void>();
  #isActive = false;

  /** Calls `onChange` after every change, until the returned function is called. */
  subscribe(onChange: () => void): () => void {
    // A new function, so that the same callback can subscribe twice.
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
    // Iterate over a copy, because a subscriber may subscribe or unsubscribe others.
    for (const subscriber of Array.from(this.#subscribers)) subscriber();
    this.owner?.notify();
  }

  protected start(): void {}
  protected stop(): void {}
}

/**
 * Renders its host again when the store changes. If an attribute of the host has changed, `findStore` may return a
 * different store.
 */
export class StoreController<T extends Store> implements ReactiveController {
  #store: T | undefined;
  #unsubscribe: (() => void) | undefined;
  #isConnected = false;

  constructor(
    readonly host: ReactiveControllerHost & {readonly hasUpdated: boolean},
    readonly findStore: () => T | undefined,
    /** Called after every change of the store, and when `findStore` returns a different store. */
    readonly onChange: (store: T | undefined) => void = () => {},
  ) {
    host.addController(this);
  }

  get store(): T | undefined {
    return this.#store;
  }

  hostConnected(): void {
    this.#isConnected = true;
    // A framework may set the properties of a new element only now. A moved element keeps its store.
    if (this.host.hasUpdated) this.hostUpdate();
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

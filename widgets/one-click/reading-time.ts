import type {ReactiveController, ReactiveControllerHost} from 'lit';

const STEP_MS = 500;

/** Adds up for how long each part of its host was in view, on a page that was; renders the host once that was long enough. */
export class ReadingTime implements ReactiveController {
  /** Whether all was there long enough. */
  isOver = false;
  readonly #seenMs = new Map<Element, number>();
  readonly #inView = new Set<Element>();
  readonly #observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#onView(entry)), {threshold: [0, 0.5]});
  #step: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: ReactiveControllerHost,
    /** What is to be read, as far as it is here. */
    readonly find: () => readonly Element[],
    readonly longMs: number,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    for (const part of this.isOver ? [] : this.find()) {
      if (this.#seenMs.has(part)) continue;
      this.#seenMs.set(part, 0);
      this.#observer.observe(part);
      this.#step ??= setTimeout(() => this.#onStep(), STEP_MS);
    }
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    this.#seenMs.clear();
    this.#inView.clear();
    clearTimeout(this.#step);
    this.#step = undefined;
  }

  #onView({target, isIntersecting, intersectionRatio, boundingClientRect}: IntersectionObserverEntry): void {
    // What is larger than the screen never has its half there.
    if (isIntersecting && (intersectionRatio >= 0.5 || boundingClientRect.height > innerHeight)) this.#inView.add(target);
    else this.#inView.delete(target);
  }

  #onStep(): void {
    this.#step = undefined;
    const parts = this.find();
    for (const part of document.hidden ? [] : this.#inView) this.#seenMs.set(part, (this.#seenMs.get(part) ?? 0) + STEP_MS);
    this.isOver = parts.length > 0 && parts.every((part) => (this.#seenMs.get(part) ?? 0) >= this.longMs);
    if (!this.isOver) this.#step = setTimeout(() => this.#onStep(), STEP_MS);
    else {
      this.hostDisconnected();
      this.host.requestUpdate();
    }
  }
}

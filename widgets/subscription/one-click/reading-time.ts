import type {ReactiveController, ReactiveControllerHost} from 'lit';

const STEP_MS = 500;

/** As much of a long paragraph is read at a time, in pixels; its half may be more than what it scrolls in ever shows. */
const LINES_PX = 80;

/** Adds up for how long each paragraph of a text was in view, on a page that was; renders the host once that was long enough. */
export class ReadingTime implements ReactiveController {
  /** Whether all was there long enough. */
  isOver = false;
  /** The text it was, or is, added up for. */
  #text: string | null = null;
  readonly #seenMs = new Map<Element, number>();
  readonly #inView = new Set<Element>();
  readonly #observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#onView(entry)));
  #step: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: ReactiveControllerHost,
    /** What is to be read, once it is here. */
    readonly find: () => Element | null,
    readonly longMs: number,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const whole = this.find();
    if (whole && whole.textContent !== this.#text) this.#begin(whole.textContent);
    for (const part of this.isOver ? [] : this.#parts) {
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

  get #parts(): readonly Element[] {
    return Array.from(this.find()?.querySelectorAll('p') ?? []);
  }

  /** Another text is read from its beginning, also where it took the place of one in the same paragraphs. */
  #begin(text: string | null): void {
    this.hostDisconnected();
    this.#text = text;
    if (this.isOver) this.host.requestUpdate();
    this.isOver = false;
  }

  #onView({target, isIntersecting, intersectionRect, boundingClientRect}: IntersectionObserverEntry): void {
    const isWide = intersectionRect.width >= boundingClientRect.width / 2;
    if (isIntersecting && isWide && intersectionRect.height >= Math.min(boundingClientRect.height / 2, LINES_PX))
      this.#inView.add(target);
    else this.#inView.delete(target);
  }

  #onStep(): void {
    this.#step = undefined;
    const parts = this.#parts;
    for (const part of document.hidden ? [] : this.#inView)
      this.#seenMs.set(part, (this.#seenMs.get(part) ?? 0) + STEP_MS);
    this.isOver = parts.length > 0 && parts.every((part) => (this.#seenMs.get(part) ?? 0) >= this.longMs);
    if (this.isOver) {
      this.hostDisconnected();
      this.host.requestUpdate();
      return;
    }
    this.#step = setTimeout(() => this.#onStep(), STEP_MS);
    // Observed anew, each tells with the next frame how much of it is in view, whatever share of it that is.
    for (const part of parts) {
      this.#observer.unobserve(part);
      this.#observer.observe(part);
    }
  }
}

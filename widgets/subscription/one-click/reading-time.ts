import type {ReactiveController, ReactiveControllerHost} from 'lit';

const TICK_MS = 500;

/** As much of a long paragraph is read at a time, in pixels; its half may be more than what it scrolls in ever shows. */
const MIN_VISIBLE_PX = 80;

/** Adds up for how long each paragraph of a text was in view, on a page that was; renders the host once that was long enough. */
export class ReadingTime implements ReactiveController {
  /** Whether all was there long enough. */
  isComplete = false;
  /** The text it was, or is, added up for. */
  #text: string | null = null;
  readonly #seenMs = new Map<Element, number>();
  readonly #inView = new Set<Element>();
  readonly #observer = new IntersectionObserver((entries) => entries.forEach((entry) => this.#onIntersection(entry)));
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: ReactiveControllerHost,
    /** What is to be read, once it is here. */
    readonly findText: () => Element | null,
    readonly requiredMs: number,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const whole = this.findText();
    if (whole && whole.textContent !== this.#text) this.#restart(whole.textContent);
    for (const part of this.isComplete ? [] : this.#parts) {
      if (this.#seenMs.has(part)) continue;
      this.#seenMs.set(part, 0);
      this.#observer.observe(part);
      this.#timer ??= setTimeout(() => this.#onTick(), TICK_MS);
    }
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    this.#seenMs.clear();
    this.#inView.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get #parts(): readonly Element[] {
    return Array.from(this.findText()?.querySelectorAll('p') ?? []);
  }

  /** Another text is read from its beginning, also where it took the place of one in the same paragraphs. */
  #restart(text: string | null): void {
    this.hostDisconnected();
    this.#text = text;
    if (this.isComplete) this.host.requestUpdate();
    this.isComplete = false;
  }

  #onIntersection({target, isIntersecting, intersectionRect, boundingClientRect}: IntersectionObserverEntry): void {
    const isWide = intersectionRect.width >= boundingClientRect.width / 2;
    if (isIntersecting && isWide && intersectionRect.height >= Math.min(boundingClientRect.height / 2, MIN_VISIBLE_PX))
      this.#inView.add(target);
    else this.#inView.delete(target);
  }

  #onTick(): void {
    this.#timer = undefined;
    const parts = this.#parts;
    for (const part of document.hidden ? [] : this.#inView)
      this.#seenMs.set(part, (this.#seenMs.get(part) ?? 0) + TICK_MS);
    this.isComplete = parts.length > 0 && parts.every((part) => (this.#seenMs.get(part) ?? 0) >= this.requiredMs);
    if (this.isComplete) {
      this.hostDisconnected();
      this.host.requestUpdate();
      return;
    }
    this.#timer = setTimeout(() => this.#onTick(), TICK_MS);
    // Observed anew, each tells with the next frame how much of it is in view, whatever share of it that is.
    for (const part of parts) {
      this.#observer.unobserve(part);
      this.#observer.observe(part);
    }
  }
}

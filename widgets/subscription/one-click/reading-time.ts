import type {ReactiveController, ReactiveControllerHost} from 'lit';

const TICK_MS = 500;

/**
 * A paragraph is in view if half of its height or this many pixels of it are visible. Without this limit in pixels, a
 * long paragraph in a small scroll box would never be in view.
 */
const MIN_VISIBLE_PX = 80;

/** The visible parts of a paragraph at which the observer reports: each percent. */
const STEPS = Array.from({length: 101}, (_, percent) => percent / 100);

/**
 * Measures how long each paragraph of a text has been in view in a visible tab. Renders the host when every paragraph
 * has been in view for the required time.
 */
export class ReadingTime implements ReactiveController {
  /** Whether every paragraph was in view for the required time. */
  isComplete = false;
  /** The text that is measured. */
  #text: string | null = null;
  /** How long each paragraph has been in view, in milliseconds. */
  readonly #seenMs = new Map<Element, number>();
  readonly #inView = new Set<Element>();
  /** Simulated browsers, in which merchants run tests, show nothing. */
  readonly #observer = globalThis.IntersectionObserver
    ? new IntersectionObserver((entries) => entries.forEach((entry) => this.#onIntersection(entry)), {
        threshold: STEPS,
      })
    : undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    readonly host: ReactiveControllerHost,
    /** Finds the element with the text; returns null while the element is not rendered. */
    readonly findText: () => Element | null,
    readonly requiredMs: number,
  ) {
    host.addController(this);
  }

  hostUpdated(): void {
    const element = this.findText();
    if (element && element.textContent !== this.#text) this.#restart(element.textContent);
    for (const paragraph of this.isComplete ? [] : this.#paragraphs) {
      if (this.#seenMs.has(paragraph)) continue;
      this.#seenMs.set(paragraph, 0);
      this.#observer?.observe(paragraph);
      this.#timer ??= setTimeout(() => this.#onTick(), TICK_MS);
    }
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    this.#seenMs.clear();
    this.#inView.clear();
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  get #paragraphs(): readonly Element[] {
    return Array.from(this.findText()?.querySelectorAll('p') ?? []);
  }

  /** Starts again after the text has changed, even if the new text is in the same elements. */
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
    const paragraphs = this.#paragraphs;
    for (const paragraph of document.hidden ? [] : this.#inView)
      this.#seenMs.set(paragraph, (this.#seenMs.get(paragraph) ?? 0) + TICK_MS);
    this.isComplete =
      paragraphs.length > 0 && paragraphs.every((paragraph) => (this.#seenMs.get(paragraph) ?? 0) >= this.requiredMs);
    if (this.isComplete) {
      this.hostDisconnected();
      this.host.requestUpdate();
      return;
    }
    this.#timer = setTimeout(() => this.#onTick(), TICK_MS);
  }
}

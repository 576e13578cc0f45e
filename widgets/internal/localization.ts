import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {inTime} from './in-time.ts';
import {languageOf, type Languages, type Locale} from './language.ts';
import {pace} from './pace.ts';

const DEADLINE_MS = 15_000;
const RETRY_FROM_MS = 3_000;
const RETRY_TO_MS = 15_000;

/** Gives its host the sentences of the language around it, and follows that language when it changes. */
export class Localization<W> implements ReactiveController {
  #observer: MutationObserver | undefined;
  #failures = 0;
  #again: ReturnType<typeof setTimeout> | undefined;

  /** The language in use; while another one is on its way, still the old one. */
  locale: Locale = 'en';
  /** The sentences, as soon as they are here. */
  words: W | undefined;

  constructor(
    readonly host: ReactiveControllerHost & Element,
    readonly languages: Languages<W>,
  ) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new MutationObserver(() => this.#follow());
    this.#observer.observe(document, {subtree: true, attributeFilter: ['lang']});
    this.#follow();
  }

  hostUpdate(): void {
    this.#follow();
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
    clearTimeout(this.#again);
  }

  #followLater(): void {
    clearTimeout(this.#again);
    if (this.host.isConnected) this.#again = setTimeout(() => this.#follow(), pace(this.#failures++, RETRY_FROM_MS, RETRY_TO_MS));
  }

  #follow(): void {
    const wanted = languageOf(this.host);
    const words = this.languages.find(wanted);
    if (!words) {
      inTime(this.languages.fetch(wanted), DEADLINE_MS, undefined).then(
        () => this.#follow(),
        // The old language stays meanwhile; without any, the skeleton does.
        () => this.#followLater(),
      );
    } else if (words !== this.words) {
      this.locale = wanted;
      this.words = words;
      this.host.requestUpdate();
    }
  }
}

import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {languageOf, type Languages, type Locale} from './language.ts';

/** Gives its host the sentences of the language around it, and follows that language when it changes. */
export class Localization<W> implements ReactiveController {
  #observer: MutationObserver | undefined;

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
  }

  #follow(): void {
    const wanted = languageOf(this.host);
    const words = this.languages.find(wanted);
    if (!words) {
      this.languages.fetch(wanted).then(
        () => this.#follow(),
        // The old language stays; without any, the skeleton does, and the next update asks again.
        () => {},
      );
    } else if (words !== this.words) {
      this.locale = wanted;
      this.words = words;
      this.host.requestUpdate();
    }
  }
}

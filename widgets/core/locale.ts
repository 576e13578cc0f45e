import type {ReactiveController, ReactiveControllerHost} from 'lit';
import {languageOf, type Locale} from './language.ts';

/** Tells its host the language around it, and follows that language when it changes. */
export class Localization implements ReactiveController {
  #observer: MutationObserver | undefined;

  locale: Locale = 'en';

  constructor(readonly host: ReactiveControllerHost & Element) {
    host.addController(this);
  }

  hostConnected(): void {
    this.#observer = new MutationObserver(() => this.host.requestUpdate());
    this.#observer.observe(document, {subtree: true, attributeFilter: ['lang']});
  }

  hostUpdate(): void {
    this.locale = languageOf(this.host);
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }
}

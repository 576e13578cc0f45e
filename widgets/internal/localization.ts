import type {ReactiveController, ReactiveControllerHost} from 'lit';
import type {Messages} from '../locales/tr.ts';
import {languageOf, loadMessages, messagesOf, type Locale} from './language.ts';

/** Gives its host the sentences of the language around it, and follows that language when it changes. */
export class Localization implements ReactiveController {
  #observer: MutationObserver | undefined;

  /** The language in use; while another one is on its way, still the old one. */
  locale: Locale = 'en';
  /** The sentences, as soon as they are here. */
  messages: Messages | undefined;

  constructor(readonly host: ReactiveControllerHost & Element) {
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
    const messages = messagesOf(wanted);
    if (!messages) {
      loadMessages(wanted).then(
        () => this.#follow(),
        // The old language stays; without any, the skeleton does, and the next update asks again.
        () => {},
      );
    } else if (messages !== this.messages) {
      this.locale = wanted;
      this.messages = messages;
      this.host.requestUpdate();
    }
  }
}

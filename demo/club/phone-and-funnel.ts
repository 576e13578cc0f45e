/** A phone that shows every SMS the sandbox sends, whoever it is for. */

import {keepFresh} from '../keep-fresh.ts';
import type {SandboxClient, SandboxSms} from '../sandbox-client.ts';
import {timeOf} from './time-of.ts';

const SHOWN = 6;

export class Phone {
  /** Draws it at once; it does so by itself too. */
  readonly refresh = keepFresh(async () => this.#draw(await this.#sandbox.sms(SHOWN)));

  readonly #messages: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #sandbox: SandboxClient;
  #drawn = '';

  constructor(
    phone: HTMLElement,
    sandbox: SandboxClient,
    /** Told of every new SMS. */ readonly onNews: () => void,
  ) {
    this.#messages = phone.querySelector('.messages') as HTMLElement;
    this.#empty = phone.querySelector('.empty') as HTMLElement;
    this.#sandbox = sandbox;
  }

  #draw(messages: readonly SandboxSms[]): void {
    const next = JSON.stringify(messages);
    if (next === this.#drawn) return;
    if (this.#drawn) this.onNews();
    this.#drawn = next;
    this.#empty.hidden = messages.length > 0;
    // The newest is read first.
    this.#messages.replaceChildren(...messages.toReversed().map(bubble));
  }
}

function bubble({message, msisdn, at}: SandboxSms): HTMLElement {
  const item = document.createElement('li');
  const head = document.createElement('small');
  head.textContent = `0${msisdn} · ${timeOf(at)}`;
  const text = document.createElement('p');
  text.textContent = message;
  item.append(head, text);
  return item;
}

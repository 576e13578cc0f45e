/** A phone that shows every SMS the sandbox sends, whoever it is for. */
import type {SandboxClient, SandboxSms} from '../sandbox-client.ts';
import {timeOf} from './time-of.ts';

const REFRESH_MS = 2_000;
const SHOWN = 6;

export class Phone {
  readonly #messages: HTMLElement;
  readonly #empty: HTMLElement;
  readonly #sandbox: SandboxClient;
  #drawn = '';

  constructor(phone: HTMLElement, sandbox: SandboxClient, /** Told of every new SMS. */ readonly onNews: () => void) {
    this.#messages = phone.querySelector('.messages') as HTMLElement;
    this.#empty = phone.querySelector('.empty') as HTMLElement;
    this.#sandbox = sandbox;
    setInterval(() => void this.refresh(), REFRESH_MS);
    document.addEventListener('visibilitychange', () => void this.refresh());
  }

  async refresh(): Promise<void> {
    if (document.hidden) return;
    try {
      this.#draw(await this.#sandbox.sms(SHOWN));
    } catch {
      // The sandbox is away; the next round tells.
    }
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

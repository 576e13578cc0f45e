/** The demo's panel beside a landing page: a phone with its SMS. A merchant does not need it. */

import '../demo-bar.ts';
import {SandboxClient, pollWhileVisible, type SandboxSms} from '../sandbox-client.ts';
import {Tabs} from '../tabs.ts';

/** Starts the phone, if the page has one. */
export function openPhone(): void {
  const bar = document.querySelector<HTMLElement>('.tabs');
  const tabs = bar && new Tabs(bar);
  const phone = document.querySelector<HTMLElement>('.phone');
  if (phone) void new Phone(phone, sandboxOf(phone), () => tabs?.notify('side')).refresh();
}

export function sandboxOf(part: HTMLElement): SandboxClient {
  return new SandboxClient(part.dataset['sandbox'] ?? '');
}

const MAX_MESSAGES = 6;

/** A phone that shows the newest SMS messages that the sandbox sent, to any number. */
export class Phone {
  /** Redraws immediately. The panel also redraws itself periodically. */
  readonly refresh = pollWhileVisible(async () => this.#draw(await this.#sandbox.sms(MAX_MESSAGES)));

  readonly #phone: HTMLElement;
  readonly #messages: HTMLElement;
  readonly #sandbox: SandboxClient;
  #drawn: readonly string[] | undefined;
  /** The number that was last typed into the page: ten digits. */
  #ownNumber = '';

  constructor(
    phone: HTMLElement,
    sandbox: SandboxClient,
    /** Called when a new SMS arrives. */ readonly onMessage: () => void,
  ) {
    this.#phone = phone;
    this.#messages = phone.querySelector('.messages') as HTMLElement;
    this.#sandbox = sandbox;
    document.addEventListener('input', (event) => {
      const [field] = event.composedPath();
      if (!(field instanceof HTMLInputElement) || field.type !== 'tel') return;
      this.#ownNumber = field.value.replaceAll(/\D/g, '').slice(-10);
    });
  }

  #draw(messages: readonly SandboxSms[]): void {
    const next = messages.map((message) => JSON.stringify(message));
    const known = this.#drawn;
    if (known && JSON.stringify(known) === JSON.stringify(next)) return;
    this.#drawn = next;
    (this.#phone.querySelector('.empty') as HTMLElement).hidden = messages.length > 0;
    // Show the newest message first.
    const seen = new Set<string>();
    this.#messages.replaceChildren(
      ...messages.toReversed().map((message) => {
        const isNewest = !seen.has(message.msisdn);
        seen.add(message.msisdn);
        return this.#bubble(message, isNewest);
      }),
    );
    const newest = messages.at(-1);
    if (!known || !newest || known.includes(JSON.stringify(newest))) return;
    // Screen readers read only the new message, not the whole list.
    (this.#phone.querySelector('[role=status]') as HTMLElement).textContent =
      `${this.#phone.dataset['new']} ${newest.message}`;
    this.onMessage();
  }

  /** A message. Only the newest message to a number can have a code that still works. */
  #bubble({message, msisdn, at}: SandboxSms, isNewest: boolean): HTMLElement {
    const item = document.createElement('li');
    const head = document.createElement('small');
    head.textContent = `${formatNumber(msisdn)} · ${formatTime(at)}`;
    if (isNewest && msisdn === this.#ownNumber) {
      const own = document.createElement('span');
      own.className = 'badge own';
      own.textContent = this.#phone.dataset['own'] ?? '';
      head.append(' ', own);
    }
    const text = document.createElement('p');
    text.textContent = message;
    item.append(head, text);
    const pin = /\b\d{4}\b/.exec(message)?.[0];
    if (pin && isNewest && navigator.clipboard) item.append(this.#copyButton(pin));
    return item;
  }

  #copyButton(pin: string): HTMLElement {
    const {copy = '', copied = ''} = this.#phone.dataset;
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = `${copy}: ${pin}`;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(pin);
      button.textContent = copied;
    });
    return button;
  }
}

/** Formats `5321234567` as `0532 123 45 67`, and the masked number `532*****67` as `0532 *** ** 67`. */
export function formatNumber(msisdn: string): string {
  return `0${msisdn}`.replace(/^(\d{4})(...)(..)(\d{2})$/, '$1 $2 $3 $4');
}

/** Formats `2026-11-21 15:42:07`, or the same time as ISO 8601, as `15:42`. */
function formatTime(at: string): string {
  return /(\d{2}:\d{2})(?::\d{2})?/.exec(at.slice(10))?.[1] ?? at;
}

/** The form for trying an operation. It sends exactly what the form shows, to the real Worker. */

import type {Operation, Parameter} from './document.ts';
import {element} from './element.ts';
import {messages} from './messages.ts';
import {fillRefund} from './refund-example.ts';
import {curlCommand, type ApiResponse, type ApiRequest, sendRequest, formatJson} from './request.ts';

/** The credentials that all forms of the page share. */
export interface Credentials {
  /** The token for an operation's `Authorization` header; empty if it needs no token or the user entered none. */
  token(access: Operation['access']): string;
  /** Saves the session token of an answer. */
  saveSession(token: string): void;
}

const MAX_ROWS = 16;
/** A new order reference, which all forms of the page share. */
const ORDER = `S-${Date.now().toString(36).slice(-6).toUpperCase()}`;

export class TryForm {
  readonly element: HTMLFormElement;
  readonly #operation: Operation;
  readonly #credentials: Credentials;
  readonly #parameters: ReadonlyMap<Parameter, HTMLInputElement>;
  readonly #body: HTMLTextAreaElement | undefined;
  readonly #key: HTMLInputElement | undefined;
  readonly #button = element('button', {class: 'send', type: 'submit'}, messages.send);
  readonly #state = element('p', {role: 'status', class: 'outcome'});
  readonly #result = element('div');
  /** The idempotency key of the last request. */
  #usedKey: string | undefined;

  constructor(operation: Operation, credentials: Credentials) {
    this.#operation = operation;
    this.#credentials = credentials;
    this.#parameters = new Map(operation.parameters.map((parameter) => [parameter, this.#parameterInput(parameter)]));
    this.#body = operation.body && this.#textarea(operation.body.example);
    this.#key = operation.write ? this.#input('idempotency-key', newKey()) : undefined;
    this.element = element(
      'form',
      {class: 'try', novalidate: true},
      element('h4', {}, messages.tryIt),
      [...this.#parameters].map(([{name}, input]) => labelControl(element('code', {}, name), input)),
      this.#body && labelControl(messages.body, this.#body),
      this.#key && this.#keyRow(this.#key),
      this.#button,
      this.#state,
      this.#result,
    );
    if (operation.id === 'createRefund' && this.#body) void fillRefund(this.#body, credentials.token('key'));
    this.element.addEventListener('input', (event) => this.#onInput(event));
    this.element.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    const empty = [...this.#parameters].find(([, input]) => input.required && input.value === '');
    if (empty) {
      const [{name}, input] = empty;
      this.#state.className = 'outcome bad';
      this.#state.textContent = messages.fieldRequired(name);
      input.focus();
      return;
    }
    this.#button.disabled = true;
    this.#state.className = 'outcome';
    this.#state.textContent = messages.sending;
    try {
      const request = this.#buildRequest();
      this.#show(await sendRequest(request), request);
    } catch {
      this.#state.className = 'outcome bad';
      this.#state.textContent = messages.noAnswer;
      this.#result.replaceChildren();
    }
    this.#button.disabled = false;
  }

  #buildRequest(): ApiRequest {
    const {method, path, access} = this.#operation;
    const query = new URLSearchParams();
    let address = path;
    for (const [{name, in: place}, {value}] of this.#parameters) {
      if (place === 'path') address = address.replace(`{${name}}`, encodeURIComponent(value));
      else if (value !== '') query.set(name, value);
    }
    const token = this.#credentials.token(access);
    this.#usedKey = this.#key?.value;
    return {
      method,
      address: query.size > 0 ? `${address}?${query}` : address,
      headers: {
        ...(token !== '' && {authorization: `Bearer ${token}`}),
        ...(this.#body && {'content-type': 'application/json'}),
        ...(this.#key && this.#key.value !== '' && {'idempotency-key': this.#key.value}),
      },
      body: this.#body?.value,
    };
  }

  #show({status, headers, type, text, tookMs}: ApiResponse, request: ApiRequest): void {
    const session = status < 300 ? sessionIn(text) : undefined;
    if (session !== undefined) this.#credentials.saveSession(session);
    this.#state.className = `outcome ${status < 400 ? 'good' : status < 500 ? 'odd' : 'bad'}`;
    this.#state.replaceChildren(
      element('strong', {}, String(status)),
      ` · ${messages.took(tookMs)}${session === undefined ? '' : ` · ${messages.sessionSaved}`}`,
    );
    this.#result.replaceChildren(
      text === ''
        ? element('p', {class: 'quiet'}, type === '' ? messages.noBody : messages.notText(type))
        : block(messages.answerBody, formatJson(text)),
      block(messages.headers, headers.map(([name, value]) => `${name}: ${value}`).join('\n')),
      block(messages.curl, curlCommand(request, this.#operation.access)),
    );
  }

  /**
   * Replaces a used idempotency key when the input changes, because a changed request is a new write. A key that the
   * user types stays until it is used.
   */
  #onInput({target}: Event): void {
    if (target === this.#key) this.#usedKey = undefined;
    else if (this.#key && this.#key.value === this.#usedKey) this.#key.value = newKey();
  }

  #keyRow(input: HTMLInputElement): HTMLElement {
    const renew = element('button', {type: 'button'}, messages.newKey);
    renew.addEventListener('click', () => (input.value = newKey()));
    return labelControl(messages.key, input, renew);
  }

  /** Optional parameters start empty, because the examples of some parameters, such as a cursor, would not work. */
  #parameterInput({name, required = false, example}: Parameter): HTMLInputElement {
    const exampleText = example === undefined ? '' : adaptExample(String(example));
    const input = this.#input(name, required ? exampleText : '');
    input.required = required;
    input.placeholder = exampleText;
    return input;
  }

  #input(name: string, value: string): HTMLInputElement {
    const input = element('input', {
      id: `${this.#operation.id}-${name}`,
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
    });
    input.value = value;
    return input;
  }

  #textarea(example: unknown): HTMLTextAreaElement {
    const text = adaptExample(JSON.stringify(example ?? {}, null, 2));
    const rows = Math.min(text.split('\n').length + 1, MAX_ROWS);
    const area = element('textarea', {
      id: `${this.#operation.id}-body`,
      rows: String(rows),
      autocomplete: 'off',
      spellcheck: 'false',
      autocapitalize: 'off',
    });
    area.value = text;
    return area;
  }
}

/** A block of preformatted text that can be scrolled with the keyboard. */
export function block(label: string, text: string): HTMLElement {
  return element(
    'div',
    {class: 'block'},
    element('p', {class: 'quiet'}, label),
    element('pre', {tabindex: '0', role: 'region', 'aria-label': label}, element('code', {}, text)),
  );
}

function labelControl(label: Node | string, control: HTMLElement, ...more: readonly HTMLElement[]): HTMLElement {
  return element(
    'div',
    {class: 'labelled'},
    element('label', {for: control.id}, label),
    element('div', {class: 'control'}, control, ...more),
  );
}

/** Replaces the origin in an example with this site's origin, and the order with the page's own order. */
function adaptExample(text: string): string {
  return text.replaceAll('https://shop.example', location.origin).replaceAll('S-1009', ORDER);
}

function newKey(): string {
  return `try-${crypto.randomUUID()}`;
}

function sessionIn(text: string): string | undefined {
  try {
    const {token, kind} = JSON.parse(text) as {token?: unknown; kind?: unknown};
    return typeof token === 'string' && typeof kind === 'string' ? token : undefined;
  } catch {
    return undefined;
  }
}

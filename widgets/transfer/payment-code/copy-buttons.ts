import {html, type LitElement, nothing, type ReactiveController, svg, type TemplateResult} from 'lit';
import {VezneEvent} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {copyFallback, focusCopyFallback, copyText} from '../payment/clipboard.ts';

const COPY_ICON = svg`<rect x="9" y="9" width="11" height="11" rx="2.5" /><path d="M5.5 15A1.5 1.5 0 0 1 4 13.5v-8A1.5 1.5 0 0 1 5.5 4h8A1.5 1.5 0 0 1 15 5.5" />`;
const COPIED_ICON = svg`<path d="m5 12.5 4.5 4.5L19 7.5" />`;

/** How long a button confirms that its text was copied. */
const COPIED_MS = 4_000;

/** The result of the last attempt to copy. */
interface CopyAttempt {
  readonly field: CopyField;
  /** The text of the attempt. The field may show another text now. */
  readonly text: string;
  readonly copied: boolean;
}

/** Renders an element's copy buttons, and the field that appears if the browser refuses to copy. */
export class CopyButtons implements ReactiveController {
  #attempt: CopyAttempt | undefined;
  #resetTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(readonly host: LitElement) {
    host.addController(this);
  }

  hostDisconnected(): void {
    clearTimeout(this.#resetTimer);
    this.#attempt = undefined;
  }

  /** The confirmation for screen readers. */
  announcement(t: PaymentMessages): string {
    return this.#attempt?.copied ? t[`${this.#attempt.field}Copied`] : '';
  }

  /** @param isNextStep whether copying the code is what the shopper does next. */
  button(field: CopyField, text: string, t: PaymentMessages, isNextStep = true): TemplateResult {
    const copied = this.#attemptOf(field, text)?.copied;
    const isCode = field === 'code';
    return html`<button
      type="button"
      part="copy"
      class="copy ${isCode ? (isNextStep ? 'button' : 'button soft') : ''} ${copied ? 'copied' : ''}"
      aria-label=${copied ? nothing : t[`${field}Copy`]}
      @click=${() => void this.copy(field, text)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        ${copied ? COPIED_ICON : COPY_ICON}
      </svg>
      ${copied ? t.copied : isCode ? t.codeCopy : t.copy}
    </button>`;
  }

  fallback(field: CopyField, text: string, t: PaymentMessages): TemplateResult | typeof nothing {
    return this.#attemptOf(field, text)?.copied === false ? copyFallback(text, t.copyByHand) : nothing;
  }

  #attemptOf(field: CopyField, text: string): CopyAttempt | undefined {
    return this.#attempt?.field === field && this.#attempt.text === text ? this.#attempt : undefined;
  }

  /** Copies the text, and confirms this for `COPIED_MS`. */
  async copy(field: CopyField, text: string): Promise<void> {
    clearTimeout(this.#resetTimer);
    const copied = await copyText(text);
    this.#attempt = {field, text, copied};
    this.host.requestUpdate();
    if (!copied) {
      await this.host.updateComplete;
      return focusCopyFallback(this.host.renderRoot);
    }
    this.#resetTimer = setTimeout(() => {
      this.#attempt = undefined;
      this.host.requestUpdate();
    }, COPIED_MS);
    this.host.dispatchEvent(new CopyEvent(field, text));
  }
}

/** The fields with a copy button. */
export type CopyField = 'code' | 'iban' | 'holder' | 'amount' | 'all';

/** The shopper copied `text` to the clipboard. */
export class CopyEvent extends VezneEvent {
  constructor(
    readonly field: CopyField,
    readonly text: string,
  ) {
    super('vezne-copy');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-copy': CopyEvent;
  }
}

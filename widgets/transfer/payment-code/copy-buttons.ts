import {html, nothing, svg, type TemplateResult} from 'lit';
import {button, type ButtonStyle} from '../../core/templates.ts';
import {VezneEvent} from '../../core/vezne-element.ts';
import type {PaymentMessages} from '../../locales/payment.ts';
import {canShare, shareText} from '../payment/clipboard.ts';
import {CopyController} from '../payment/copy-controller.ts';

const COPY_ICON = svg`<rect x="9" y="9" width="11" height="11" rx="2.5" /><path d="M5.5 15A1.5 1.5 0 0 1 4 13.5v-8A1.5 1.5 0 0 1 5.5 4h8A1.5 1.5 0 0 1 15 5.5" />`;
const COPIED_ICON = svg`<path d="m5 12.5 4.5 4.5L19 7.5" />`;

/** Renders an element's copy buttons, and the field that appears if the browser refuses to copy. */
export class CopyButtons extends CopyController {
  /** The field whose text was copied last. */
  #field: CopyField = 'code';

  /** The confirmation for screen readers. */
  announcement(t: PaymentMessages): string {
    return this.isConfirming ? t[`${this.#field}Copied`] : '';
  }

  /** @param isNextStep - Whether copying the code is what the shopper does next. */
  button(field: CopyField, text: string, t: PaymentMessages, isNextStep = true): TemplateResult {
    const copied = this.isCopied(text);
    const isCode = field === 'code';
    return html`<button
      type="button"
      part="copy"
      class="copy ${isCode ? (isNextStep && !copied ? 'button' : 'button soft') : ''} ${copied ? 'copied' : ''}"
      aria-label=${copied ? nothing : t[`${field}Copy`]}
      @click=${() => void this.copyField(field, text)}
    >
      <svg viewBox="0 0 24 24" aria-hidden="true">
        ${copied ? COPIED_ICON : COPY_ICON}
      </svg>
      ${copied ? t.copied : isCode ? t.codeCopy : t.copy}
    </button>`;
  }

  /** The button that copies or shares all details, and below it the text if the browser refuses to copy. */
  all(details: string | undefined, t: PaymentMessages, style?: ButtonStyle): TemplateResult {
    if (!details) return html``;
    const label = this.label(details, canShare() ? t.share : t.allCopy, t.copied);
    return html`${button(label, () => void shareText(details, () => this.copyField('all', details)), style)}
    ${this.fallback(details)}`;
  }

  /** Copies the text of a field, and confirms it for a while. */
  async copyField(field: CopyField, text: string): Promise<void> {
    this.#field = field;
    if (await this.copy(text)) this.host.dispatchEvent(new CopyEvent(field, text));
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

import {html, nothing, type PropertyValues, type TemplateResult} from 'lit';
import {type Answer, ask} from './client.ts';
import {DeskElement} from './desk-element.ts';
import {paymentTexts} from './locales/payment.ts';
import {Polled} from './polled.ts';
import {stranger} from './stranger-element.ts';

/**
 * What the bank wrote about a transfer. The Worker does not keep it, so the platform is asked when somebody wants it.
 *
 * @tag desk-transfer
 */
export class DeskTransfer extends DeskElement {
  static override properties = {transaction: {}, isAsked: {state: true}};

  /** The id of the transaction. */
  declare transaction: string;
  declare isAsked: boolean;

  readonly #record = new Polled<Answer<'getTransaction'>>(this, (signal) =>
    ask<'getTransaction'>(`transactions/${encodeURIComponent(this.transaction)}`, {}, signal),
  );

  constructor() {
    super();
    this.transaction = '';
    this.isAsked = false;
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('transaction')) this.isAsked = false;
    this.#record.show(this.isAsked ? this.transaction : null);
  }

  protected override renderContent(): TemplateResult {
    const t = paymentTexts[this.locale];
    const label = `${t.askBank}: ${this.transaction}`;
    return html`<div aria-live="polite" tabindex="-1">
      ${
        this.isAsked
          ? this.renderPolled(this.#record, (record) => this.#renderRecord(record))
          : html`<button type="button" class="link" aria-label=${label} @click=${this.#onAsk}>${t.askBank}</button>`
      }
    </div>`;
  }

  #renderRecord({user_name, remote_bank, remote_description}: Answer<'getTransaction'>): TemplateResult {
    const t = paymentTexts[this.locale];
    const texts = [user_name, remote_bank, remote_description].filter(Boolean);
    if (texts.length === 0) return html`<p class="muted">${t.bankWroteNothing}</p>`;
    return html`${texts.map((text, index) => html`${index > 0 ? html`<br />` : nothing}${stranger(text)}`)}`;
  }

  async #onAsk(): Promise<void> {
    this.isAsked = true;
    await this.updateComplete;
    // The pressed button is gone.
    this.renderRoot.querySelector<HTMLElement>('[aria-live]')?.focus();
  }
}

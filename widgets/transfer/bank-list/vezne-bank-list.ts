import {html, nothing, type TemplateResult} from 'lit';
import type {Bank, BankList} from '../../../worker/contract/browser/answers.ts';
import {lazyElements} from '../../core/define.ts';
import {StoreController} from '../../core/store.ts';
import {skeleton} from '../../core/templates.ts';
import {flag, VezneEvent, VezneElement} from '../../core/vezne-element.ts';
import {checkoutMessages, type CheckoutMessages} from '../../locales/checkout.ts';
import {bankDirectory, findBank, lastBankAt, searchBanks} from '../purchase/bank-directory.ts';
import {PurchaseController} from '../purchase/purchase-controller.ts';
import {bankTileStyles} from './bank-tile.styles.ts';
import {bankTile} from './bank-tile.ts';
import {styles} from './vezne-bank-list.styles.ts';

const extrasBundle = lazyElements(() => import('../../bundles/bank-list-extras.ts'));

/** If there are more banks than this, the list has a search field. */
const SEARCH_ABOVE = 6;

/**
 * Lets a shopper choose the bank to pay from. The element saves the choice, and shows that bank first the next time. It
 * is a form control: the form around it submits the account's id under `name`. With `required`, the form cannot be
 * submitted before the shopper has chosen a bank.
 *
 * @tag vezne-bank-list
 * @event {BankSelectEvent} vezne-bank-select - The shopper chose a bank.
 * @event {ProblemEvent} vezne-error - The list could not be loaded.
 * @csspart base - The card around everything.
 * @csspart title - The question.
 * @csspart search - The search field.
 * @csspart bank - Each bank.
 * @csspart logo - The logo or initials of a bank.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button of a notice.
 * @cssproperty [--vezne-accent=#0b6454] - Selected banks, buttons and links.
 * @cssproperty [--vezne-on-accent=#fff] - Text on the accent color.
 * @cssproperty [--vezne-ink=#14211d] - Text.
 * @cssproperty [--vezne-muted] - Secondary text; by default 70 % ink.
 * @cssproperty [--vezne-paper=#fff] - Background.
 * @cssproperty [--vezne-ground] - Background of secondary areas; by default 4 % ink.
 * @cssproperty [--vezne-line] - Dividers; by default 14 % ink.
 * @cssproperty [--vezne-edge] - Borders of fields and controls; by default 55 % ink.
 * @cssproperty [--vezne-tint] - Background of the selected bank and of the order code; by default 10 % accent.
 * @cssproperty [--vezne-warn=#7a4a00] - Text of warnings; `--vezne-warn-tint` is their background.
 * @cssproperty [--vezne-good=#0a7040] - Success.
 * @cssproperty [--vezne-bad=#ae2219] - Errors; `--vezne-bad-tint` is their background.
 * @cssproperty [--vezne-radius=16px] - Corner radius.
 * @cssproperty [--vezne-density=1] - Factor for the spacing, from `0.75` to `1.25`. Controls stay at least 44 px high.
 * @cssproperty [--vezne-shadow] - Shadow of the checkout.
 * @cssproperty [--vezne-font=inherit] - Font.
 */
export class VezneBankList extends VezneElement<CheckoutMessages> {
  static readonly tag = 'vezne-bank-list';
  static readonly formAssociated = true;
  static override properties = {
    // As in any form control, the attribute is the value after a reset.
    value: {reflect: false},
    name: {},
    required: flag,
    disabled: flag,
  };
  static override styles = [VezneElement.styles, bankTileStyles, styles];

  /** The id of the chosen account. A page may also set the code of a bank. */
  declare value: string;

  /** The name of the field in the form's data. */
  declare name: string;

  /** Whether the form requires that a bank is chosen. */
  declare required: boolean;

  /** Whether the shopper cannot choose a bank. The form does not submit the bank of a disabled list. */
  declare disabled: boolean;

  /**
   * The checkout sets this function, which continues to the payment step when the shopper taps a bank. Without the
   * function, a tap only selects the bank.
   */
  goOn?: (bank: Bank) => void;

  protected override readonly messages = checkoutMessages;

  protected override readonly purchase = new PurchaseController(this, (purchase) => {
    // A change of anything else must not replace a value that the page or the form has set.
    const {bank} = purchase?.facts ?? {};
    if (bank && bank !== this.#chosenBefore) this.value = bank;
    this.#chosenBefore = bank;
  });
  #chosenBefore: string | undefined;
  /** Simulated browsers, in which merchants run tests, lack parts of it. */
  readonly #internals: Partial<ElementInternals> | undefined = this.attachInternals?.();
  readonly #banks = new StoreController(this, () => bankDirectory(this.address));
  readonly #extras = new StoreController(this, () => {
    const list = this.#banks.store?.value;
    return this.#query || list?.banks.length === 0 ? extrasBundle : undefined;
  });
  #shouldFocus = false;
  #query = '';
  /** Whether an arrow key or the space bar causes the next click on a bank. Such a click only selects the bank. */
  #isSelectKey = false;
  /** Whether the element, or the fieldset around it, is disabled. */
  #isDisabled = false;

  constructor() {
    super();
    // A click on a label of the element. Every other click comes from a part inside.
    this.addEventListener('click', (event) => event.composedPath()[0] === this && this.focus());
  }

  /** The browser calls this when the element or a fieldset around it is enabled or disabled. */
  formDisabledCallback(disabled: boolean): void {
    this.#isDisabled = disabled;
    this.requestUpdate();
  }

  /** The browser calls this when the form is reset. */
  formResetCallback(): void {
    this.value = this.getAttribute('value') ?? '';
  }

  /** The browser calls this when it restores the form's data. */
  formStateRestoreCallback(value: string): void {
    this.value = value;
  }

  override focus(options?: FocusOptions): void {
    this.#focusTarget?.focus(options);
    // If the banks are still loading, the focus moves when they are shown.
    this.#shouldFocus = !this.#focusTarget;
  }

  protected override updated(): void {
    super.updated();
    if (this.#shouldFocus) this.focus({preventScroll: true});
    this.#tellForm();
  }

  /** The form knows a changed value at once, not only after the next rendering. */
  override requestUpdate(...change: Parameters<VezneElement<CheckoutMessages>['requestUpdate']>): void {
    super.requestUpdate(...change);
    // The constructor requests the first rendering, and names no property.
    if (change[0]) this.#tellForm();
  }

  #tellForm(): void {
    const chosen = this.#chosen;
    this.#internals?.setFormValue?.(chosen || null);
    const valueMissing = this.required && !chosen;
    // Before the first rendering, the browser has nothing in the element to point at.
    const anchor = this.#focusTarget ?? this.find('.base') ?? undefined;
    this.#internals?.setValidity?.({valueMissing}, this.t.bankQuestion, anchor);
  }

  protected override renderContent(t: CheckoutMessages): TemplateResult {
    return this.renderQuery(this.#banks.store, (list) =>
      list.banks.length > 0
        ? this.#renderBanks(list, t)
        : this.renderQuery(this.#extras.store, ({emptyNote}) =>
            emptyNote(this.locale, this.purchase.assurance, () => this.#banks.store?.reload()),
          ),
    );
  }

  override renderSkeleton(): TemplateResult {
    return html`<div class="skeleton-list">${skeleton(6)}</div>`;
  }

  #renderBanks({banks}: BankList, t: CheckoutMessages): TemplateResult {
    const last = this.purchase.facts.lastBank;
    const ordered = [...banks].sort((a, b) => Number(b.id === last) - Number(a.id === last));
    const extras = this.#extras.store?.value;
    // Until the file with all names has loaded, or if it does not load, the search uses only the names in the list.
    const found = (extras?.searchAllNames ?? searchBanks)(ordered, this.#query);
    return html`<fieldset ?disabled=${this.#isDisabled} role="none">
      <h3 id="question" part="title">${t.bankQuestion}</h3>
      ${banks.length > SEARCH_ABOVE ? this.#renderSearch(this.#query && extras?.bankListExtrasMessages[this.locale].found(found.length), t) : nothing}
      <div
        class="banks ${this.goOn ? 'direct' : ''}"
        role="radiogroup"
        aria-required=${this.required}
        aria-labelledby="question"
        @keydown=${this.#onKeyDown}
      >
        ${found.map((bank) => this.#renderBank(bank, bank.id === last, t))}
      </div>
      ${found.length > 0 ? nothing : extras?.noMatchNote(this.#query, this.locale, () => this.#onShowAll())}
      ${this.#renderOther(banks, t)}
    </fieldset>`;
  }

  #renderSearch(found: string | undefined, t: CheckoutMessages): TemplateResult {
    return html`<div class="search" part="search">
      <svg viewBox="0 0 24 24" aria-hidden="true"><circle cx="11" cy="11" r="7" /><path d="m16.5 16.5 4.5 4.5" /></svg>
      <input
        type="search"
        autocomplete="off"
        aria-label=${t.bankSearch}
        placeholder=${t.bankSearch}
        .value=${this.#query}
        @input=${this.#onSearch}
        @keydown=${this.#onKeyDown}
      />
      <span class="visually-hidden" role="status">${found}</span>
    </div>`;
  }

  #renderBank(bank: Bank, isLast: boolean, t: CheckoutMessages): TemplateResult {
    return html`<label class="bank" part="bank">
      ${bankTile(bank, this.address)}
      <span class="name"><bdi translate="no">${bank.name}</bdi>${isLast ? html`<small>${t.bankLast}</small>` : nothing}</span>
      <input
        type="radio"
        name="bank"
        .checked=${this.#chosen === bank.id}
        .value=${bank.id}
        @click=${() => this.#onClick(bank)}
      /><span class="ring"></span>
    </label>`;
  }

  /** A button that chooses the first account: the shopper can send money to this account from any bank. */
  #renderOther([first]: readonly Bank[], t: CheckoutMessages): TemplateResult {
    return html`<button
      type="button"
      class="bank direct"
      part="bank"
      @click=${() => first && this.#onOther(first)}
    >
      <span class="name">${t.bankMissing}<small>${t.bankMissingText}</small></span><i></i>
    </button>`;
  }

  /**
   * The id of the chosen account. If the list has only one account, it is chosen. The id is empty if the chosen account
   * is no longer in the list.
   */
  get #chosen(): string {
    const banks = this.#banks.store?.value?.banks;
    return banks ? (findBank(banks, this.value)?.id ?? '') : this.value;
  }

  get #focusTarget(): HTMLElement | null | undefined {
    return this.find(':checked') ?? this.find('input');
  }

  /** Browsers fire a click when the shopper taps a bank, and also when a key selects a bank. */
  #onClick(bank: Bank): void {
    const goesOn = this.goOn && !this.#isSelectKey;
    this.#isSelectKey = false;
    if (goesOn || bank.id !== this.#chosen) {
      this.value = bank.id;
      // The next checkout shows this bank first.
      lastBankAt(this.address).write({bank: bank.id});
      this.purchase.current.send({is: 'chosen', choice: {bank: bank.id}});
      this.dispatchEvent(new BankSelectEvent(bank));
    }
    if (goesOn) this.goOn?.(bank);
  }

  #onOther(bank: Bank): void {
    this.purchase.current.send({is: 'chosen', choice: {bank: bank.id}});
    if (this.goOn) this.goOn(bank);
    else this.dispatchEvent(new BankSelectEvent(bank));
  }

  /** Enter continues with the focused bank, or with the only bank that the search has found. */
  #onKeyDown({key, target}: KeyboardEvent): void {
    this.#isSelectKey = /^( |Arrow)/.test(key);
    if (key !== 'Enter' || !this.goOn) return;
    const radios = Array.from(this.shadowRoot?.querySelectorAll<HTMLInputElement>('[type=radio]') ?? []);
    radios.find((radio) => radio === target || !radios[1])?.click();
  }

  #onSearch({target}: InputEvent): void {
    this.#query = (target as HTMLInputElement).value;
    this.requestUpdate();
  }

  #onShowAll(): void {
    this.#query = '';
    this.requestUpdate();
    this.#focusTarget?.focus();
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-bank-list': VezneBankList;
  }
}

/** The shopper chose the bank to pay from. */
export class BankSelectEvent extends VezneEvent {
  constructor(readonly bank: Bank) {
    super('vezne-bank-select');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-bank-select': BankSelectEvent;
  }
}

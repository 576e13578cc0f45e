import {html, nothing, type PropertyDeclarations, type TemplateResult} from 'lit';
import type {ReadPayment} from '../../../worker/contract/browser/answers.ts';
import type {BuyerForm} from '../../../worker/contract/buyer.ts';
import {readMsisdn} from '../../../worker/contract/readers/mobile-number.ts';
import {fieldError} from '../../core/field-error.ts';
import {formatAmount, formatMsisdn} from '../../core/format.ts';
import {paymentRefusals, unreachableProblem, type Problem} from '../../core/problem.ts';
import {Query, valueOf} from '../../core/query.ts';
import {scriptTagOf} from '../../core/script-tag.ts';
import {StoreController} from '../../core/store.ts';
import {formStyles} from '../../core/styles/form.styles.ts';
import {button, problemNotice, skeleton} from '../../core/templates.ts';
import {VezneElement} from '../../core/vezne-element.ts';
import {isText, shape, WorkerClient} from '../../core/worker-client.ts';
import {buyerMessages, type BuyerMessages} from '../../locales/buyer.ts';
import {isBrought} from '../purchase/facts.ts';
import type {Purchase} from '../purchase/purchase.ts';
import type {Question} from '../purchase/question.ts';
import {tokenSuffix} from '../purchase/saved-order.ts';
import {isOrderOf} from '../purchase/session-order.ts';
import {
  type Draft,
  type Errors,
  errorsOf,
  type Field,
  fieldsOf,
  type FormEvent,
  type FormState,
  isTick,
  KNOWN_FIELDS,
  type KnownPath,
  nextForm,
  read,
} from './buyer-fields.ts';
import {provinceOf, PROVINCES} from './provinces.ts';
import {styles} from './vezne-buyer.styles.ts';

const isForm = shape<BuyerForm>({
  privacy_url: isText,
  version: isText,
  seller: shape<BuyerForm['seller']>({name: isText}),
});
const isAnswer = shape<Pick<ReadPayment, 'order' | 'buyer_form'>>({
  buyer_form: (value) => value === undefined || isForm(value),
});

class FormClient extends WorkerClient {
  protected override readonly refusals = paymentRefusals;

  /** @returns What the order asks for now; null if it asks for nothing. */
  async read(token: string, signal: AbortSignal): Promise<BuyerForm | null> {
    const answer = await this.ask('/v1/payment', {validate: isAnswer, token, signal});
    if (!isOrderOf(token, answer)) throw unreachableProblem();
    return answer.buyer_form ?? null;
  }
}

/** The elements that have to ask. */
const asking: VezneBuyer[] = [];

/** The purchases whose request was repeated, because the order asked for nothing any more. */
const repeated = new WeakSet<Purchase>();

/**
 * Asks who buys, before the order has a code. Only other Vezne elements use this element. What the shopper types stays
 * in the tab until the order has it. If several elements of a page have to ask, one shows the form.
 *
 * @tag vezne-buyer
 * @csspart field - Each field.
 * @csspart problem - The notice of a problem.
 * @csspart button - Each button.
 */
export class VezneBuyer extends VezneElement<BuyerMessages> {
  static readonly tag = 'vezne-buyer';
  static override properties: PropertyDeclarations = {question: {attribute: false}};
  static override styles = [VezneElement.styles, formStyles, styles];

  /** Who asks, and what happens after the answer. */
  question: Question | undefined;

  protected override readonly messages = buyerMessages;

  readonly #query = new StoreController(this, () => this.#find());
  /** The refusal for which the form was found. */
  #problem: Problem | undefined;
  #form: Query<BuyerForm | null> | undefined;
  /** What the tab had given when the order asked. */
  #given = '';
  #state: FormState = {draft: {}, left: [], refused: []};
  /** What the Worker has not accepted, until the form is known. */
  #refused: readonly string[] | undefined;
  /** Whether the form is not the one that the shopper has filled in. */
  #isChanged = false;
  /** What a screen reader reads out. */
  #announcement: ((t: BuyerMessages) => string) | undefined;
  #hasFocused = false;

  constructor() {
    super();
    // What the page learns of the order may answer the question.
    const observe = (findStore: () => Purchase | undefined) => new StoreController(this, findStore);
    observe(() => this.question?.purchase);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    asking.push(this);
    renderAll();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    asking.splice(asking.indexOf(this), 1);
    renderAll();
  }

  override focus(options?: FocusOptions): void {
    this.find('[data-autofocus]')?.focus(options);
  }

  protected override willUpdate(): void {
    const form = this.#form?.value;
    if (!form || !this.#refused) return;
    if (this.#refused.length > 0) {
      this.#send(form, {is: 'refused', fields: this.#refused});
      this.#announceErrors(form);
    } else {
      // Without fields, the shopper has answered another form. Nobody has ticked what this one says.
      const {draft, ...state} = this.#state;
      const typed = Object.entries(draft).filter(([, value]) => typeof value === 'string');
      this.#state = {...state, draft: Object.fromEntries(typed)};
      this.question?.purchase.buyer.write({draft: this.#state.draft});
    }
    this.#isChanged = this.#refused.length === 0;
    this.#refused = undefined;
  }

  protected override updated(): void {
    super.updated();
    const {question} = this;
    if (!question) return;
    const {purchase, retry, drop = () => retry('')} = question;
    const isOver = this.#isOver(purchase);
    if (isOver || (question.drop && !this.#isFirst)) {
      if (isOver && !question.drop) repeated.add(purchase);
      // The Worker decides, also about an order that this page has started.
      const {token} = purchase.facts.session ?? {};
      if (isOver && token && !purchase.buyer.read().given)
        purchase.buyer.write({draft: undefined, of: tokenSuffix(token)});
      queueMicrotask(drop);
      return;
    }
    const title = this.find('h3');
    if (!title || this.#hasFocused) return;
    this.#hasFocused = true;
    // If the shopper has come here by a press, the focus is on an element around this one. A reload moves no focus.
    if (!isWithin(this, document.activeElement)) return;
    title.focus({preventScroll: true});
    const {top} = title.getBoundingClientRect();
    if (top < 0 || top > innerHeight / 3) title.scrollIntoView();
  }

  protected override renderContent(t: BuyerMessages): TemplateResult {
    const {question} = this;
    if (!question?.problem) return this.renderSkeleton();
    const {purchase, problem} = question;
    if (isBrought(purchase.facts) || (repeated.has(purchase) && this.#form?.value === null)) {
      this.reportProblem(problem);
      return problemNotice(problem, this.locale, () => question.retry(''), t);
    }
    if (!this.#isFirst) return button(t.elsewhere, () => this.#first?.focus(), 'button');
    return this.renderQuery(this.#query.store, (form) =>
      form && !this.#isOver(purchase) ? this.#renderForm(form, purchase, t) : this.renderSkeleton(),
    );
  }

  override renderSkeleton(): TemplateResult {
    return skeleton(4);
  }

  #renderForm(form: BuyerForm, purchase: Purchase, t: BuyerMessages): TemplateResult {
    const fields = fieldsOf(form);
    const errors = errorsOf(form, this.#state);
    const [known, address, rest] = [
      fields.filter(({path}) => !/^(address|own)\.|^marketing$/.test(path)),
      fields.filter(({path}) => path.startsWith('address.')),
      fields.filter(({own, isMarketing}) => own ?? isMarketing),
    ];
    const required = fields.filter(({isRequired}) => isRequired).length;
    const how = required === 0 ? 'none' : required === fields.length ? 'all' : 'some';
    return html`<form
      novalidate
      @submit=${(event: SubmitEvent) => this.#onSubmit(event, form)}
      @input=${(event: Event) => this.#onField('typed', event, form)}
      @change=${(event: Event) => this.#onField('left', event, form)}
    >
      <p class="visually-hidden" role="alert">${this.#announcement?.(t)}</p>
      ${this.#renderPrice(purchase, t)}
      ${this.#isChanged ? html`<p class="problem warn" role="alert">${t.changed}</p>` : nothing}
      <div class="intro">
        <h3 tabindex="-1" data-autofocus>${t.title}</h3>
        <p>${t.seller}: <b translate="no">${form.seller.name}</b></p>
        <p class="muted">${t.goesTo}</p>
        <div class="links">${this.#renderLink(t.privacy, form.privacy_url, t)}${form.terms_url ? this.#renderLink(t.terms, form.terms_url, t) : nothing}</div>
        <p class="muted">${t.required[how]}</p>
      </div>
      ${known.map((field) => this.#renderKnown(field, errors, t))}
      ${address.length > 0 ? this.#renderAddress(address, errors, form.address === 'optional', t) : nothing}
      ${rest.map((field) => this.#renderOwn(field, form, errors, t))}
      <button type="submit" class="button" part="button">${t.continue}</button>
    </form>`;
  }

  /** Says that the offer costs another amount than the page's script says. */
  #renderPrice({api, facts}: Purchase, t: BuyerMessages): TemplateResult | typeof nothing {
    const shown = scriptTagOf(api)?.offer;
    const amount = facts.order.isCreated && facts.session?.amount;
    if (!amount || !shown || shown.id !== facts.key.offer || shown.amount === amount) return nothing;
    return html`<p class="problem warn" role="alert">${t.priceNow(formatAmount(amount, this.locale))}</p>`;
  }

  #renderLink(text: string, url: string, t: BuyerMessages): TemplateResult {
    return html`<a class="link" part="button" href=${url} target="_blank" rel="noopener"
      >${text}<span class="visually-hidden">, ${t.newTab}</span></a
    >`;
  }

  #renderAddress(
    [line, district, province, postalCode]: readonly Field[],
    errors: Errors,
    isOptional: boolean,
    t: BuyerMessages,
  ): TemplateResult {
    const render = (field: Field | undefined) => (field ? this.#renderKnown(field, errors, t, isOptional) : nothing);
    return html`<fieldset>
      <legend>${labelText(t.address, isOptional, t)}</legend>
      ${render(line)}
      <div class="pair">${render(province)}${render(district)}</div>
      <div class="short">${render(postalCode)}</div>
    </fieldset>`;
  }

  /** @param isInOptional - Whether the legend says that the field is optional. */
  #renderKnown({path, isRequired}: Field, errors: Errors, t: BuyerMessages, isInOptional = false): TemplateResult {
    const known = path as KnownPath;
    const {label, hint} = t.fields[known];
    const id = path.replace('.', '-');
    const isOptional = !isRequired && !isInOptional;
    const described = `${id}-error ${id}-hint`;
    const value = this.#textOf(path);
    const {autocomplete, maxlength, type, inputmode, autocapitalize} = {
      type: 'text',
      inputmode: nothing,
      autocapitalize: nothing,
      ...KNOWN_FIELDS[known],
    };
    const invalid = errors[path] ? 'true' : nothing;
    return html`<div class="field">
      ${labelOf(id, label, isOptional, t)}
      ${
        path === 'address.line'
          ? html`<textarea
              id=${id}
              name=${path}
              rows="2"
              part="field"
              autocomplete=${autocomplete}
              maxlength=${maxlength}
              .value=${value}
              aria-required=${isRequired ? 'true' : nothing}
              aria-invalid=${invalid}
              aria-describedby=${described}
            ></textarea>`
          : html`<input
              id=${id}
              name=${path}
              type=${type}
              part="field"
              autocomplete=${autocomplete}
              inputmode=${inputmode}
              autocapitalize=${autocapitalize}
              spellcheck="false"
              maxlength=${maxlength}
              list=${path === 'address.province' ? 'provinces' : nothing}
              .value=${value}
              aria-required=${isRequired ? 'true' : nothing}
              aria-invalid=${invalid}
              aria-describedby=${described}
            />`
      }
      ${path === 'address.province' ? html`<datalist id="provinces" translate="no">${PROVINCES.map((name) => html`<option value=${name}></option>`)}</datalist>` : nothing}
      ${fieldError(id, this.#messageOf(path, errors, t), false)}
      ${hint ? html`<p id="${id}-hint" class="muted hint">${hint}</p>` : nothing}
    </div>`;
  }

  /** A field that the merchant names, or the consent to marketing. */
  #renderOwn(field: Field, form: BuyerForm, errors: Errors, t: BuyerMessages): TemplateResult {
    const {path, isRequired, own} = field;
    const id = path.replace('.', '-');
    const label = (own?.label ?? form.marketing)?.[this.locale] ?? '';
    const required = isRequired ? 'true' : nothing;
    const invalid = errors[path] ? 'true' : nothing;
    const error = fieldError(id, this.#messageOf(path, errors, t, own?.type), false);
    if (isTick(field))
      return html`<div class="field">
        <label class="tick"
          ><input type="checkbox" id=${id} name=${path} part="field" .checked=${this.#state.draft[path] === true} aria-required=${required} aria-invalid=${invalid} aria-describedby="${id}-error" /><span
            >${labelText(label, !isRequired, t)}</span
          ></label
        >
        ${own?.links ? html`<div class="links">${own.links.map(({text, url}) => this.#renderLink(text[this.locale], url, t))}</div>` : nothing}
        ${error}
      </div>`;
    const value = this.#textOf(path);
    return html`<div class="field">
      ${labelOf(id, label, !isRequired, t)}
      ${
        own?.type === 'choice'
          ? html`<select id=${id} name=${path} part="field" autocomplete="off" aria-required=${required} aria-invalid=${invalid} aria-describedby="${id}-error">
              <option value="">${t.choose}</option>
              ${own.choices?.map((choice) => html`<option translate="no" value=${choice.value} ?selected=${choice.value === value}>${choice.label[this.locale]}</option>`)}
            </select>`
          : html`<input id=${id} name=${path} part="field" autocomplete="off" maxlength="500" .value=${value} aria-required=${required} aria-invalid=${invalid} aria-describedby="${id}-error" />`
      }
      ${error}
    </div>`;
  }

  #textOf(path: string): string {
    const value = this.#state.draft[path];
    return typeof value === 'string' ? value : '';
  }

  #messageOf(
    path: string,
    errors: Errors,
    t: BuyerMessages,
    type: keyof BuyerMessages['missing'] = 'text',
  ): string | undefined {
    const is = errors[path];
    const texts = Object.hasOwn(t.fields, path) ? t.fields[path as KnownPath] : {missing: t.missing[type]};
    return is && (is === 'missing' ? texts.missing : ('wrong' in texts && texts.wrong) || t.wrong);
  }

  /** The element that shows the form of this purchase. */
  get #first(): VezneBuyer | undefined {
    const purchase = this.question?.purchase;
    const all = asking.filter(({question}) => question?.purchase === purchase);
    // The shopper goes on at the button that was pressed last.
    return all.reduce((last, each) => (each.question?.drop ? each : last), all[0]);
  }

  get #isFirst(): boolean {
    return this.#first === this;
  }

  /** Whether nothing is asked any more: the shopper has answered elsewhere, or the order has its buyer or its code. */
  #isOver(purchase: Purchase): boolean {
    const hasCode = !!valueOf(purchase.facts.order.payment)?.order_code;
    const isAnswered = this.#given !== givenText(purchase);
    return !repeated.has(purchase) && (hasCode || isAnswered || this.#form?.value === null);
  }

  /** Finds what to ask: in the session, or at the Worker, if the Worker has said that something is missing or wrong. */
  #find(): Query<BuyerForm | null> | undefined {
    const {purchase, problem} = this.question ?? {};
    if (!purchase || !problem || problem === this.#problem) return this.#form;
    this.#problem = problem;
    this.#given = givenText(purchase);
    const known = problem.details ? undefined : purchase.facts.session?.buyer_form;
    const client = new FormClient(purchase.api);
    this.#form = new Query((signal) => known ?? purchase.withToken(signal, (token) => client.read(token, signal)));
    const {draft = {}, given} = purchase.buyer.read();
    this.#state = {...this.#state, draft};
    const fields = problem.details?.fields?.map(({path}) => path) ?? [];
    // Without an answer of the shopper, the refusal only says what is asked for.
    if (given) this.#refused = fields;
    return this.#form;
  }

  #send(form: BuyerForm, event: FormEvent): void {
    this.#state = nextForm(form, this.#state, event);
    this.requestUpdate();
  }

  #onField(is: 'typed' | 'left', {target, currentTarget}: Event, form: BuyerForm): void {
    const field = target as HTMLInputElement;
    const {name} = field;
    if (is === 'left') {
      const msisdn = name === 'phone' && readMsisdn(field.value);
      if (msisdn) field.value = formatMsisdn(msisdn);
      if (name === 'address.province') field.value = provinceOf(field.value);
    }
    const draft = this.#readDraft(currentTarget as HTMLFormElement, form);
    this.question?.purchase.buyer.write({draft});
    this.#given = this.question ? givenText(this.question.purchase) : '';
    this.#send(form, {is, path: name, draft});
    if (is === 'typed') return;
    this.#announcement = (t) =>
      this.#messageOf(name, errorsOf(form, this.#state), t, form.own?.find(({id}) => `own.${id}` === name)?.type) ?? '';
  }

  #readDraft(element: HTMLFormElement, form: BuyerForm): Draft {
    const typed = new FormData(element);
    return Object.fromEntries(
      fieldsOf(form).map((field) => [
        field.path,
        isTick(field) ? typed.has(field.path) : String(typed.get(field.path) ?? ''),
      ]),
    );
  }

  #onSubmit(event: SubmitEvent, form: BuyerForm): void {
    event.preventDefault();
    const {question} = this;
    if (!question) return;
    // A browser that fills in the form may fire no event.
    const draft = this.#readDraft(event.currentTarget as HTMLFormElement, form);
    this.#send(form, {is: 'submitted', draft});
    const {buyer, problems} = read(form, this.#state);
    const [wrong] = Object.keys(errorsOf(form, this.#state));
    if (problems.length === 0) {
      question.purchase.buyer.write({draft, given: {...buyer, form: form.version, language: this.locale}});
      this.#given = givenText(question.purchase);
      question.retry('');
      void focusNext(question.host);
    } else {
      this.#announceErrors(form);
      void this.updateComplete.then(() => this.find(`[name='${wrong}']`)?.focus());
    }
  }

  #announceErrors(form: BuyerForm): void {
    const count = Object.keys(errorsOf(form, this.#state)).length;
    this.#announcement = (t) => (count > 0 ? t.summary(count) : t.wrong);
  }
}

/** Renders all forms again, because one shows less if another one has the form. */
function renderAll(): void {
  for (const each of asking) each.requestUpdate();
}

/** Moves the focus to what follows the form in a checkout. Without a checkout, the host keeps it. */
async function focusNext(host: VezneElement<unknown>): Promise<void> {
  const root = host.getRootNode();
  await host.updateComplete;
  if (!(root instanceof ShadowRoot) || !(root.host instanceof VezneElement)) return;
  await root.host.updateComplete;
  root.querySelector<HTMLElement>('[data-autofocus]')?.focus({preventScroll: true});
}

/** What the tab has given as the buyer, and the order that has its buyer, as text. */
function givenText({buyer}: Purchase): string {
  const {given = null, of} = buyer.read();
  return JSON.stringify([given, of]);
}

function labelText(label: string, isOptional: boolean, t: BuyerMessages): TemplateResult | string {
  return isOptional ? html`${label} <small>(${t.optional})</small>` : label;
}

function labelOf(id: string, label: string, isOptional: boolean, t: BuyerMessages): TemplateResult {
  return html`<label for=${id}>${labelText(label, isOptional, t)}</label>`;
}

/** Whether a node is inside an element, also through shadow roots. */
function isWithin(node: Node, element: Element | null): boolean {
  for (let each: Node | null = node; each && element !== document.body;) {
    if (each === element) return true;
    each = each instanceof ShadowRoot ? each.host : each.parentNode;
  }
  return false;
}

declare global {
  interface HTMLElementTagNameMap {
    'vezne-buyer': VezneBuyer;
  }
}

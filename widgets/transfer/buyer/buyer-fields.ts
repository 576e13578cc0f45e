/** The fields of the form that asks who buys, and everything that can happen to them. The functions are pure. */

import type {Buyer, BuyerForm, OwnField} from '../../../worker/contract/buyer.ts';
import {type BuyerProblem, readBuyer, type ReadBuyer} from '../../../worker/contract/readers/buyer.ts';

/** What the shopper typed and ticked, by the paths of the fields. */
export type Draft = Readonly<Record<string, string | boolean>>;

/** The fields whose names and checks are ours, in the sequence of the form. */
export const KNOWN_FIELDS = {
  name: {autocomplete: 'name', maxlength: 100, autocapitalize: 'words'},
  email: {autocomplete: 'email', maxlength: 254, type: 'email', inputmode: 'email', autocapitalize: 'off'},
  phone: {autocomplete: 'tel', maxlength: 32, type: 'tel', inputmode: 'tel'},
  'address.line': {autocomplete: 'street-address', maxlength: 500},
  'address.district': {autocomplete: 'address-level2', maxlength: 64, autocapitalize: 'words'},
  'address.province': {autocomplete: 'address-level1', maxlength: 64, autocapitalize: 'words'},
  'address.postal_code': {autocomplete: 'postal-code', maxlength: 16, inputmode: 'numeric'},
} as const satisfies Record<
  string,
  {autocomplete: string; maxlength: number; type?: string; inputmode?: string; autocapitalize?: string}
>;
export type KnownPath = keyof typeof KNOWN_FIELDS;

export interface Field {
  /** Path below the buyer, such as `address.district` or `own.size`. */
  readonly path: string;
  readonly isRequired: boolean;
  /** The field, if the merchant names it. */
  readonly own?: OwnField;
  /** The sentence of the tick, for the consent to marketing. */
  readonly isMarketing?: boolean;
}

const ADDRESS = ['address.line', 'address.district', 'address.province', 'address.postal_code'] as const;

/** What the form asks for, in the sequence in which the shopper fills it in. */
export function fieldsOf({name, email, phone, address, own = [], marketing}: BuyerForm): readonly Field[] {
  const asked = Object.entries({name, email, phone}).flatMap(([path, presence]) =>
    presence ? [{path, isRequired: presence === 'required'}] : [],
  );
  return [
    ...asked,
    ...(address ? ADDRESS : []).map((path) => ({
      path,
      isRequired: address === 'required' && path !== 'address.postal_code',
    })),
    ...own.map((field) => ({path: `own.${field.id}`, isRequired: !!field.required, own: field})),
    ...(marketing ? [{path: 'marketing', isRequired: false, isMarketing: true}] : []),
  ];
}

/** What the form has of a field before the shopper has typed or ticked anything. */
export function isTick({own, isMarketing}: Field): boolean {
  return own?.type === 'tick' || !!isMarketing;
}

/** `{'address.line': 'Çiçek Sokak 7', email: 'deniz@shop.example'}` as a page sends it. */
export function typedBuyer(draft: Draft): Buyer {
  const buyer: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(draft)) {
    const [group = '', field] = path.split('.');
    buyer[group] = field === undefined ? value : {...(buyer[group] as object), [field]: value};
  }
  return buyer;
}

/** The form while the shopper fills it in. */
export interface FormState {
  readonly draft: Draft;
  /** The fields that are checked as the shopper types: they were left once, or the form was submitted. */
  readonly left: readonly string[];
  /** The fields whose values the Worker has not accepted, until the shopper changes them. */
  readonly refused: readonly string[];
}

export type FormEvent =
  | {readonly is: 'typed'; readonly path: string; readonly draft: Draft}
  /** The shopper has changed a field and left it. */
  | {readonly is: 'left'; readonly path: string; readonly draft: Draft}
  | {readonly is: 'submitted'; readonly draft: Draft}
  /** @param fields - What the Worker names, such as `buyer.email`. */
  | {readonly is: 'refused'; readonly fields: readonly string[]};

/** The form after an event. */
export function nextForm(form: BuyerForm, state: FormState, event: FormEvent): FormState {
  const all = fieldsOf(form).map(({path}) => path);
  const {left, refused} = state;
  switch (event.is) {
    case 'typed':
      return {...state, draft: event.draft, refused: refused.filter((path) => path !== event.path)};
    case 'left':
      return {...state, draft: event.draft, left: left.includes(event.path) ? left : [...left, event.path]};
    case 'submitted':
      return {...state, draft: event.draft, left: all};
    case 'refused':
      return {
        ...state,
        left: all,
        refused: all.filter((path) => event.fields.some((field) => `${field}.`.startsWith(`buyer.${path}.`))),
      };
  }
}

/** What the form has, as the Worker reads it. */
export function read(form: BuyerForm, {draft}: FormState): ReadBuyer {
  return readBuyer(form, typedBuyer(draft));
}

export type Errors = Readonly<Record<string, BuyerProblem['is']>>;

/** The errors that the shopper sees, by the paths of the fields and in their sequence. */
export function errorsOf(form: BuyerForm, state: FormState): Errors {
  const {problems} = read(form, state);
  return Object.fromEntries(
    fieldsOf(form).flatMap(({path}) => {
      const is = problems.find((problem) => problem.path === path)?.is;
      const shown = is && state.left.includes(path) ? is : state.refused.includes(path) ? 'wrong' : undefined;
      return shown ? [[path, shown]] : [];
    }),
  );
}

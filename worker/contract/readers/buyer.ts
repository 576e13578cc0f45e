/** Reads what a shopper filled into the form of a buyer. Elements call it while the shopper types, the Worker before it stores anything. */

import type {Buyer, BuyerForm, OwnField} from '../buyer.ts';
import {foldText} from './characters.ts';
import {readEmail} from './email.ts';
import {readPhone} from './mobile-number.ts';

/** Why a field cannot be accepted: it is required and empty, or what it has is no such value. */
export interface BuyerProblem {
  /** Path below the buyer, such as `email`, `address.district` or `own.size`. */
  readonly path: string;
  readonly is: 'missing' | 'wrong';
}

export interface ReadBuyer {
  /** What the form asks for and the shopper filled in, each value as it is stored. */
  readonly buyer: Buyer;
  /** In the sequence of the form. */
  readonly problems: readonly BuyerProblem[];
}

/** `34 710` → `34710`, the five digits of a Turkish postal code; undefined for anything else. */
export function readPostalCode(text: string): string | undefined {
  return /^\d{5}$/.exec(foldText(text).replace(/\s/g, ''))?.[0];
}

const ADDRESS_PARTS = ['line', 'district', 'province'] as const;

/** Keeps what the form asks for, and finds what is missing or wrong in it. Empty texts are missing, unticked ticks too. */
export function readBuyer(
  form: BuyerForm,
  {email, name, phone, address, own = {}, marketing, language}: Buyer,
): ReadBuyer {
  const problems: BuyerProblem[] = [];
  /** Reads one value. @param isNeeded - Whether it must not be empty. */
  const take = (path: string, text = '', isNeeded: boolean, read: (typed: string) => string | undefined = asTyped) => {
    const typed = text.trim();
    const value = typed === '' ? undefined : read(typed);
    if (value === undefined && (isNeeded || typed !== ''))
      problems.push({path, is: typed === '' ? 'missing' : 'wrong'});
    return value;
  };
  const takeOwn = ({id, type, required = false, choices = []}: OwnField) => {
    const value = own[id];
    if (type === 'tick') {
      if (typeof value === 'string') problems.push({path: `own.${id}`, is: 'wrong'});
      else if (required && value !== true) problems.push({path: `own.${id}`, is: 'missing'});
      return value === true;
    }
    if (typeof value === 'boolean') {
      problems.push({path: `own.${id}`, is: 'wrong'});
      return undefined;
    }
    const isChoice = (text: string) => (choices.some((choice) => choice.value === text) ? text : undefined);
    return take(
      `own.${id}`,
      typeof value === 'string' ? value : '',
      required,
      type === 'choice' ? isChoice : undefined,
    );
  };
  const takeAddress = (): Buyer['address'] => {
    const parts = {...address};
    const isNeeded = form.address === 'required' || Object.values(parts).some((part) => part?.trim());
    const [line, district, province] = ADDRESS_PARTS.map((part) => take(`address.${part}`, parts[part], isNeeded));
    const postalCode = take('address.postal_code', parts.postal_code, false, readPostalCode);
    if (line === undefined || district === undefined || province === undefined) return undefined;
    return {line, district, province, ...(postalCode !== undefined && {postal_code: postalCode})};
  };
  const read = {
    name: form.name && take('name', name, form.name === 'required'),
    email: form.email && take('email', email, form.email === 'required', readEmail),
    phone: form.phone && take('phone', phone, form.phone === 'required', readPhone),
    address: form.address && takeAddress(),
    own: form.own && Object.fromEntries(form.own.map((field) => [field.id, takeOwn(field)])),
    marketing: form.marketing && marketing === true,
    language,
  };
  return {buyer: withoutGaps({...read, own: read.own && withoutGaps(read.own)}), problems};
}

const asTyped = (text: string) => text;

function withoutGaps<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}

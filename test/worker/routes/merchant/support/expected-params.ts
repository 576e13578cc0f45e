/** What the platform must read of an input of ours, name by name: written from orders.md 4.2–4.6 and subscriptions.md 4.A–4.C, and from nothing in `worker/`. */

import type {EndpointName} from '../../../../../worker/contract/merchant/endpoints.ts';

/** As the sandbox records it: parameters with their brackets, fields of JSON as text, and the last part of the address. */
export interface ExpectedCall {
  readonly params: Readonly<Record<string, string | string[]>>;
  /** Where the operation has it in the address. */
  readonly last?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** What the record does not show. */
const MASK = '***';

const local = (instant: string) =>
  new Date(Date.parse(instant) + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const PAYMENT_PAGE: Readonly<Record<string, string>> = {
  reference: 'referenceCode',
  success_url: 'successUrl',
  failure_url: 'failureUrl',
  trial_days: 'trialPeriodDay',
};

export function expectedParams(name: EndpointName, {cursor: _cursor, ...input}: Input): ExpectedCall {
  switch (name) {
    case 'getSubscription':
    case 'cancelSubscription':
    case 'getCharge':
    case 'refundCharge':
      return {params: {}, last: String(input['id'])};
    case 'resetTestNumber':
      return {params: {}, last: String(input['msisdn'])};
    case 'searchTransactions':
      return {params: transactionSearch(input)};
    case 'searchSubscriptions':
    case 'searchCharges':
    case 'searchMessages':
      return {params: texts(input, ({service: _service, ...criteria}) => criteria)};
    case 'createPaymentPage':
      return {params: texts(input, ({service: _service, ...item}) => mapNames(item, PAYMENT_PAGE))};
    case 'createVendorForm':
      return {
        params: {
          ...texts(input, ofService),
          successUrl: String(input['success_url']),
          failureUrl: String(input['failure_url']),
        },
      };
    case 'generatePin':
    case 'requestSubscription':
    case 'addActivity':
      return {
        params: {
          ...texts(input, (fields) => mapNames(fields, {user_ip: 'userip', number_token: 'token'})),
          ...('number_token' in input && {token: MASK}),
        },
      };
    case 'getNumber':
      return {params: {token: MASK}};
    default:
      return {params: orderOf(input)};
  }
}

/** Order codes, notices and refunds: blocks have their fields in brackets. */
function orderOf({notice, contact, redirect_url: _redirect, back_url: _back, ...rest}: Input): ExpectedCall['params'] {
  return {...texts(rest, ofService), ...block('PaymentNotification', notice), ...block('contact', contact)};
}

function block(name: string, fields: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((fields ?? {}) as Input).map(([field, value]) => [
      `${name}[${field}]`,
      field === 'apply_time' ? local(String(value)) : String(value),
    ]),
  );
}

function transactionSearch({service, limit, ...criteria}: Input): ExpectedCall['params'] {
  const read: Record<string, string | string[]> = {
    code: String(service),
    ...(limit !== undefined && {length: String(limit)}),
  };
  for (const [field, value] of Object.entries(criteria)) {
    const format = (one: unknown) =>
      field === 'transaction_date' ? local(String(one)) : field === 'end_date' ? nextDay(String(one)) : String(one);
    const name = `Transaction[${{start_date: 'startDate', end_date: 'endDate'}[field] ?? field}]`;
    // One moment is compared with `=`: the table knows this column as a block only (docs/decisions/merchant-api.md).
    if (field === 'transaction_date' && typeof value === 'string')
      Object.assign(read, {[`${name}[con_operator]`]: '=', [`${name}[value]`]: format(value)});
    else if (Array.isArray(value)) read[`${name}[]`] = value.length === 1 ? format(value[0]) : value.map(format);
    else if (typeof value === 'object' && value !== null) {
      const {operator, value: compared} = value as {operator: string; value: unknown};
      Object.assign(read, {[`${name}[con_operator]`]: operator, [`${name}[value]`]: format(compared)});
    } else read[name] = format(value);
  }
  return read;
}

const ofService = ({service, ...rest}: Input): Input => ({...(service !== undefined && {code: service}), ...rest});

const mapNames = (fields: Input, names: Readonly<Record<string, string>>): Input =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [names[field] ?? field, value]));

/** Values as the record has them: text as it is, what is no text as JSON. */
function texts(input: Input, named: (input: Input) => Input): Record<string, string> {
  return Object.fromEntries(
    Object.entries(named(input)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

/**
 * The parameters that the platform must receive for an input of the merchant API. They are written from
 * `docs/spec/orders.md` (4.2 to 4.6) and `docs/spec/subscriptions.md` (4.A to 4.C), and not from `worker/`.
 */

import type {EndpointName} from '../../../../../worker/contract/merchant/endpoints.ts';

/** A call as the sandbox records it. Parameter names contain the brackets, and the fields of JSON are text. */
export interface ExpectedCall {
  readonly params: Readonly<Record<string, string | string[]>>;
  /** The last segment of the path, if the operation takes an id there. */
  readonly last?: string;
}

type Input = Readonly<Record<string, unknown>>;

/** The text that the sandbox records instead of a secret. */
const MASK = '***';

/** Converts a time into Turkey's local time, as the platform writes it. */
const platformTime = (instant: string) =>
  new Date(Date.parse(instant) + 3 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ');
const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);

const PAYMENT_PAGE: Readonly<Record<string, string>> = {
  reference: 'referenceCode',
  success_url: 'successUrl',
  failure_url: 'failureUrl',
  trial_days: 'trialPeriodDay',
};

/** The input without the fields that the platform does not get. */
const without = (input: Input, fields: readonly string[]): Input =>
  Object.fromEntries(Object.entries(input).filter(([field]) => !fields.includes(field)));

export function expectedParams(name: EndpointName, {cursor: _cursor, ...input}: Input): ExpectedCall {
  switch (name) {
    case 'getSubscription':
    case 'cancelSubscription':
    case 'getCharge':
    case 'refundCharge':
      return {params: {}, last: String(input['id'])};
    case 'resetTestNumber':
      return {params: {}, last: String(input['msisdn'])};
    case 'searchTransactions': {
      // A search with a start date is sent as searches of single days.
      const {start_date: first, end_date: last, ...rest} = input;
      return {
        params: transactionSearchParams(first === undefined && last !== undefined ? {...rest, end_date: last} : rest),
      };
    }
    case 'searchSubscriptions':
    case 'searchCharges':
    case 'searchMessages':
      return {params: texts(input, ({service: _service, ...criteria}) => criteria)};
    case 'createPaymentPage':
      return {params: texts(input, ({service: _service, ...item}) => mapNames(item, PAYMENT_PAGE))};
    case 'createVendorForm':
      return {
        params: {
          ...texts(input, renameService),
          phone: String(input['phone']).replace(/\D/g, '').slice(-10),
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
    case 'createOrderCode':
      return {params: orderParams(without(input, ['hours', 'prefill', 'seller', 'title', 'metadata', 'adopt']))};
    case 'createRefund':
      // No agreement with the platform names the sub-merchant.
      return {params: orderParams(without(input, ['sub_merchant_id', 'force']))};
    default:
      return {params: orderParams(input)};
  }
}

/** Parameters for order codes, notices and refunds. Fields of `notice` and `contact` become names with brackets. */
function orderParams({
  notice,
  contact,
  redirect_url: _redirect,
  back_url: _back,
  extra: _extra,
  ...rest
}: Input): ExpectedCall['params'] {
  return {...texts(rest, renameService), ...block('PaymentNotification', notice), ...block('contact', contact)};
}

function block(name: string, fields: unknown): Record<string, string> {
  return Object.fromEntries(
    Object.entries((fields ?? {}) as Input).map(([field, value]) => [
      `${name}[${field}]`,
      field === 'apply_time' ? platformTime(String(value)) : String(value),
    ]),
  );
}

function transactionSearchParams({service, limit, ...criteria}: Input): ExpectedCall['params'] {
  const params: Record<string, string | string[]> = {
    code: String(service),
    ...(limit !== undefined && {length: String(limit)}),
  };
  for (const [field, value] of Object.entries(criteria)) {
    const format = (item: unknown) =>
      field === 'transaction_date'
        ? platformTime(String(item))
        : field === 'end_date'
          ? nextDay(String(item))
          : String(item);
    const name = `Transaction[${{start_date: 'startDate', end_date: 'endDate'}[field] ?? field}]`;
    // The spec shows this field only with an operator, so a single time gets `=` (docs/decisions/merchant-api.md).
    if (field === 'transaction_date' && typeof value === 'string')
      Object.assign(params, {[`${name}[con_operator]`]: '=', [`${name}[value]`]: format(value)});
    else if (Array.isArray(value)) params[`${name}[]`] = value.length === 1 ? format(value[0]) : value.map(format);
    else if (typeof value === 'object' && value !== null) {
      const {operator, value: compared} = value as {operator: string; value: unknown};
      Object.assign(params, {[`${name}[con_operator]`]: operator, [`${name}[value]`]: format(compared)});
    } else params[name] = format(value);
  }
  return params;
}

/** The platform calls the service `code`. */
const renameService = ({service, ...rest}: Input): Input => ({...(service !== undefined && {code: service}), ...rest});

const mapNames = (fields: Input, names: Readonly<Record<string, string>>): Input =>
  Object.fromEntries(Object.entries(fields).map(([field, value]) => [names[field] ?? field, value]));

/**
 * Gives the fields the platform's names. As in the sandbox's records, text is unchanged and other values become JSON.
 */
function texts(input: Input, rename: (input: Input) => Input): Record<string, string> {
  return Object.fromEntries(
    Object.entries(rename(input)).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  );
}

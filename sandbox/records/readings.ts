/**
 * How the sandbox answers questions that the contract leaves open. Platforms may answer such a question in different
 * ways, so each question has a reading with a list of values, and the control `readings` chooses a value. The first
 * value of each list is the default.
 */

import {formatAmount, inSeventeenDigits} from '../formats.ts';

export const READINGS = {
  /** `endDate` of a transaction search (orders.md 4.3): the first day after the search, or its last day. */
  end_date: ['exclusive', 'inclusive'],
  /** A transaction search without `endDate`: it is open to the future, or it ends one day after `startDate`. */
  missing_end_date: ['open', 'one_day'],
  /**
   * What the sandbox does with a transaction search that spans several days. It returns all days (`any`), refuses the
   * search (`one`), returns only the first day (`clipped`), or returns only the first four days (`clipped_at_four`).
   */
  search_days: ['any', 'one', 'clipped', 'clipped_at_four'],
  /** A transaction search with an `endDate` after tomorrow is accepted (`any`) or refused (`tomorrow`). */
  latest_end_date: ['any', 'tomorrow'],
  /** The answer to a transaction search that begins in the future: an empty list, or the chosen status. */
  future_day: ['empty', 'ERR_008', '500', 'ERR_039'],
  /** Which time of a transaction must be within the days of a search. */
  search_time_of: ['transaction_date', 'create_time'],
  /** The order of the rows of a transaction search. With `none`, the rows are shuffled. */
  search_order: ['newest_first', 'oldest_first', 'none'],
  /** What `recordsFiltered` of a transaction search counts: all rows that match, or the rows of the page. */
  records_filtered: ['all', 'page'],
  /** The highest `length` that a transaction search may have. */
  search_length: ['any', '100'],
  /**
   * The format of times that searches of mobile billing accept: `YYYY-MM-DD HH:MM:SS` (`space`), the same format with a
   * `T` in place of the space (`iso`), or both.
   */
  search_time: ['both', 'space', 'iso'],
  /**
   * `modifiedDate` in a search of charges (subscriptions.md 2.5): the search has the column, refuses it with HTTP 400 or
   * with `FAILED` and HTTP 200, or ignores it.
   */
  charge_changes: ['searched', 'refused', 'failed', 'ignored'],
  /** The order of the rows in a search of mobile billing: as the search asks, or always by id. */
  search_sort: ['followed', 'newest_first', 'oldest_first'],
  /**
   * When mobile billing answers HTTP 204 without a body (observed.md): never, in place of an empty list, or in place of
   * the record that an operation changed.
   */
  no_content: ['never', 'empty_list', 'changed'],
  /** A refund of a charge (subscriptions.md 4.A): it is made at once, or its status is 7 until a control ends it. */
  charge_refund: ['at_once', 'in_progress'],
  /** The largest amount of an order in lira. The platform refuses a larger amount with `ERR_021` (observed.md). */
  largest_order: ['any', '100000'],
  /** A second refund of an order that is no marketplace order: it is made, or it is refused with the chosen status. */
  second_refund: ['made', 'ERR_039', 'ERR_018', 'ERR_008'],
  /** The status for an update or a refund of a completed order. */
  completed_order: ['ERR_018', 'ERR_039', 'ERR_008'],
  /** The status for a refund of an order for which no money has arrived. */
  unpaid_refund: ['ERR_006', 'ERR_014', 'ERR_039'],
  /** When a transaction has the status 6: all of its money, or a part of it, was sent back, or a refund was created. */
  refunded_status: ['all', 'part', 'begun'],
  /** The status for an unknown refund id. */
  unknown_refund: ['ERR_006', 'ERR_014', '404'],
  /** The answer to a call for the refunds of an order without refunds: an empty list, or the chosen status. */
  no_refunds: ['empty', 'ERR_006', 'ERR_014', 'ERR_008'],
  /**
   * The code for a refund of a charge whose status does not allow a refund. The HTTP status is 409 with 3006, and 400
   * with 1001.
   */
  unrefundable_charge: ['API_ERR_3006', 'API_ERR_1001'],
  /** The code with which mobile billing refuses an invalid parameter other than the key. */
  invalid_parameter: ['API_ERR_1001', 'API_ERR_1023'],
  /** What a renewal does: it creates a record with a new id, or it gives the same record a later renewal date. */
  renewal_id: ['new', 'same'],
  /** When a new subscription appears in searches: immediately, or a minute later. */
  subscription_listed: ['at_once', 'later'],
  /** Which field names a refund record has (orders.md 2.5): the names of the example, the field table, or both. */
  refund_names: ['both', 'example', 'table'],
  /** The times in a refund record (orders.md 2.5), which name no zone: Turkish time, UTC, or no times at all. */
  refund_times: ['turkey', 'utc', 'absent'],
  /**
   * How the landing interface writes the zone of a time, PHP's `T` (subscriptions.md 2.7): as an offset, a name, or both,
   * such as `GMT+0300`.
   */
  landing_zone: ['offset', 'name', 'named_offset'],
  /**
   * How answers and notifications write an amount: as the contract's examples do, or as PHP writes a number with
   * `serialize_precision = 17`, such as 29.899999999999999.
   */
  amounts: ['two_places', 'seventeen_digits'],
  /** The bank's time of a transfer, a charge or a refund in an answer: known, or MySQL's zero date. */
  bank_times: ['known', 'zero'],
  /** The code of a payment notice (orders.md 4.4): the id of another notice, text without an id, or its own id. */
  notice_code: ['other_id', 'text', 'own_id'],
  /** How one GET lists the refund results of a day (orders.md 6): `0[…]`, `refunds[0][…]`, or JSON in a parameter. */
  refund_query: ['numbered', 'named', 'json'],
  /**
   * A second orderToReference/create with the same order and another sub-merchant (orders.md 1): it adds a part to the
   * order, or it is refused.
   */
  sub_merchant_parts: ['same_code', 'refused'],
  /** Whether a refund of a marketplace order has to name its sub-merchant, in an agreed parameter (orders.md 1). */
  refund_part: ['unnamed', 'named'],
  /**
   * What stands for an empty list (orders.md 4.3 and 4.5, subscriptions.md 4.A): an empty array, null, nothing, or an
   * object. With `object`, a list with rows is an object too, whose keys are numbers.
   */
  lists: ['array', 'null', 'absent', 'object'],
  /** What stands for a record that is absent, such as `lastTransaction` (subscriptions.md 2.2). */
  absent_record: ['absent', 'null', 'array', 'object', 'text'],
  /** A field that may be "null or value" (orders.md 2.5), such as `requested_by`: null, or an object. */
  optional_value: ['null', 'object'],
  /** orderToReference/check of an unknown order (orders.md 4.2): it is refused, or it succeeds without a code. */
  unknown_order: ['ERR_014', 'null', 'empty'],
  /** What happens to the merchant's older tokens when the platform issues a new one: they stay valid, or expire. */
  older_tokens: ['valid', 'ended'],
  /** How many calls of `/phs` a minute may have (orders.md 8, "not shown"). */
  phs_limit: ['none', '60', '20'],
  /** How `/phs` refuses a further call: with HTTP 429 and JSON or a page, or with HTTP 200 and the status 429. */
  phs_limit_reply: ['json', 'html', 'status'],
  /** How such a refusal says when the next minute begins: in seconds, as a date, or not at all. */
  phs_retry_after: ['seconds', 'date', 'absent'],
  /** Which order codes the bank page shows (orders.md 4.2): all codes, or only codes of orderToReference/direct. */
  bank_page: ['any', 'direct'],
  /** The accounts in the bank list: one of each bank, or also one in dollars and a second one in lira of one bank. */
  bank_accounts: ['one', 'several'],
  /**
   * What a call to mobile billing needs besides an allowed address (subscriptions.md 5): nothing, or the sandbox's key
   * in a header, in the query, or in the body; with `body`, a call without a body has it in the query.
   */
  billing_credentials: ['none', 'header', 'query', 'body'],
  /** How the JSON of /pay/token has ids and the price (subscriptions.md 4.B): in either way, or only in the named one. */
  payment_page_types: ['any', 'numbers', 'text'],
  /**
   * How the key of a payment page is made (subscriptions.md 5): the MD5 of the fields and the secret in hex, or the
   * HMAC-SHA-256 of the fields with `|` between them, in base64.
   */
  payment_page_key: ['md5', 'hmac'],
  /** The words of a subscription's status in mobile billing (subscriptions.md 3): as observed, in capitals, or others. */
  subscription_words: ['observed', 'uppercase', 'others'],
  /** The form of a number token (subscriptions.md 4.C): an integer, or other text. */
  number_tokens: ['digits', 'text'],
  /** What one-click needs (subscriptions.md 4.C): the number token, or also the number and its operator. */
  one_click: ['token', 'token_and_number'],
  /** Where `/phs` reads the parameters of a POST (orders.md 1): also in the body, or only in the query. */
  phs_parameters: ['any', 'query'],
  /** When a subscription with a trial is charged first (subscriptions.md 2.2): after the trial, or at once. */
  trial_charge: ['after', 'at_once'],
  /** The fee in the record of a subscription with a trial: its price, or zero. */
  trial_fee: ['price', 'zero'],
  /** What the vendor form needs (orders.md 4.6): nothing, or a session in a cookie and in the browser's storage. */
  vendor_form: ['plain', 'session'],
  /**
   * Which record a path of mobile billing names (subscriptions.md 4.A): the one with this id of the path's service, or
   * the one with this id, so that the service is ignored.
   */
  record_service: ['compared', 'ignored'],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export type ReadingName = keyof typeof READINGS;
export type Reading<N extends ReadingName> = (typeof READINGS)[N][number];
export type ChosenReadings = {readonly [N in ReadingName]: Reading<N>};

const SETTING = 'readings';

/** Where the chosen values are stored. */
interface Settings {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
}

/** What the readings `lists` and `absent_record` put in place of an empty list or an absent record. */
const NOTHING = {array: [], null: null, absent: undefined, object: {}, text: 'null'} as const;

/** What the reading `subscription_words` writes in place of a status. */
const TURKISH_WORDS: Readonly<Record<string, string>> = {active: 'Yürürlükte', cancelled: 'Sonlandı'};

const AMOUNT_FIELDS: ReadonlySet<string> = new Set(['amount', 'fee', 'subscriptionFee']);

const BANK_TIMES: ReadonlySet<string> = new Set(['transaction_date', 'transactionDate', 'refund_time']);
const ZERO_DATE = '0000-00-00 00:00:00';

const toKurus = (amount: unknown): number => Math.round(Number(amount) * 100);

/** A value that `JSON.stringify` writes as this text. */
function asWritten(json: string): unknown {
  return (JSON as unknown as {rawJSON(text: string): unknown}).rawJSON(json);
}

export class Readings {
  readonly #settings: Settings;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get<N extends ReadingName>(name: N): Reading<N> {
    return this.all()[name];
  }

  /** Writes the lists, and the words of statuses, of an answer as the readings say. */
  write<T>(answer: T): T {
    const {lists, subscription_words: words, trial_fee: fee} = this.all();
    if (lists === 'array' && words === 'observed' && fee === 'price')
      return this.writeAmounts(this.#writeBankTimes(answer));
    function write(this: {hasTrialPeriod?: unknown}, name: string, value: unknown) {
      if (name === 'subscriptionFee' && this.hasTrialPeriod === true && fee === 'zero') return 0;
      if (name === 'status' && typeof value === 'string' && words !== 'observed')
        return words === 'uppercase' ? ` ${value.toUpperCase()}` : (TURKISH_WORDS[value] ?? value);
      if (!Array.isArray(value) || lists === 'array') return value;
      return lists === 'object' ? {...value} : value.length > 0 ? value : NOTHING[lists];
    }
    return this.writeAmounts(this.#writeBankTimes(JSON.parse(JSON.stringify(answer, write)) as T));
  }

  #writeBankTimes<T>(answer: T): T {
    if (this.get('bank_times') === 'known') return answer;
    return JSON.parse(JSON.stringify(answer), (name, value: unknown) =>
      BANK_TIMES.has(name) && value !== null ? ZERO_DATE : value,
    ) as T;
  }

  /** Writes the amounts of an answer, or of the JSON of a notification, as the reading `amounts` says. */
  writeAmounts<T>(body: T): T {
    if (this.get('amounts') === 'two_places') return body;
    // A reviver may return any value, and the values that it returns are not visited.
    return JSON.parse(JSON.stringify(body), (name, value: unknown) =>
      AMOUNT_FIELDS.has(name) && value !== null && value !== '' ? asWritten(inSeventeenDigits(toKurus(value))) : value,
    ) as T;
  }

  /** Writes an amount in a query, as the reading `amounts` says. */
  amountText(kurus: number): string {
    return this.get('amounts') === 'two_places' ? formatAmount(kurus) : inSeventeenDigits(kurus);
  }

  /** Returns the record, or what stands for it if it is absent. */
  orAbsent(record: object | undefined): unknown {
    return record ?? NOTHING[this.get('absent_record')];
  }

  all(): ChosenReadings {
    const defaults = Object.entries(READINGS).map(([name, [reading]]) => [name, reading]);
    return {...Object.fromEntries(defaults), ...(this.#settings.get(SETTING) as object | undefined)} as ChosenReadings;
  }

  choose(chosen: Partial<ChosenReadings>): void {
    this.#settings.set(SETTING, {...this.all(), ...chosen});
  }
}

/** Tests a configuration with calls to the platform, and explains what is wrong. The answers never contain a secret. */

import type {Context} from '../context.ts';
import {type CheckName, CHECKS} from '../contract/checks.ts';
import type {Check} from '../contract/merchant/doctor.ts';
import {isPageKeyRefused} from '../http/platform-errors.ts';
import {ACCOUNT_LIMITS} from '../lib/account-limit.ts';
import {DAY_MS, MINUTE_MS, SECOND_MS} from '../lib/durations.ts';
import {parseAmount} from '../lib/money.ts';
import {formatPlatformDay, formatPlatformTime} from '../lib/time.ts';
import {shownAccounts} from '../platform/accounts.ts';
import {PlatformClient} from '../platform/client.ts';
import {areValuesRefused, type PlatformFailure, PlatformError} from '../platform/failure.ts';
import {BOOKED_AHEAD_MS, readTime, REPORTED_LATE_MS} from '../platform/habits.ts';
import {configuredInterfaces} from '../platform/interfaces.ts';
import {tokenKey} from '../platform/keys.ts';
import type {TransactionItem} from '../platform/operations/transactions.ts';
import {countRows, readResponseTime} from '../platform/reply-json.ts';
import {failed, type Finding, ok, skipped, warning} from './check.ts';
import {type CalledCheck, explainFailure, nameChecked} from './explain.ts';
import {type PlatformCheckName, readChecks, readingsOf} from './own-checks.ts';

/** How many services are checked; not all of them, because each check costs a call. */
const MAX_SERVICES = 5;
/** How far the clocks may differ. A larger difference could make the Worker search for the wrong days. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;
/**
 * Status for an invalid number token (`docs/spec/subscriptions.md`, section 7.2). The platform checks the token only
 * after it has accepted our credentials.
 */
const INVALID_NUMBER_TOKEN = '027';

type Findings = Readonly<Record<string, Finding | undefined>>;

const NO_ORDERS = skipped('Orders and transfers are not set up.');

export class Doctor {
  /** How far the platform's clock is ahead of the Worker's, for each answer of the platform that has a time. */
  readonly #clockOffsetsMs: number[] = [];

  constructor(private readonly context: Context) {}

  /** Runs all checks, each after the checks on which it depends. */
  async examine(): Promise<Check[]> {
    const readings = readingsOf(await readChecks(({find}) => find, this.context, '/merchant/v1/doctor'));
    const limit = readings.map(([, reading]) => reading.limit).find((each) => each !== null);
    if (limit !== undefined) {
      const {message, action} = ACCOUNT_LIMITS[limit];
      const others = skipped('Not checked, because Cloudflare refuses the Worker’s Durable Objects.');
      return CHECKS.map((name) => named(name, name === 'limits' ? failed(message, action) : others));
    }
    const own: Findings = Object.fromEntries(
      readings.map(([name, {check, fact}]) => [name, check.find?.(fact, this.context)]),
    );
    // If the egress is broken, every other check would wrongly report trouble with the platform.
    const isBroken = own['egress']?.state === 'failed';
    const findings: Findings = isBroken ? own : {...own, ...(await this.#checkPlatform())};
    const missing = skipped('Not checked: the check of the egress failed.');
    return CHECKS.map((name) => named(name, findings[name] ?? missing));
  }

  async #checkPlatform(): Promise<Record<PlatformCheckName, Finding>> {
    const [token, tokenFinding] = await this.#checkToken();
    const client = this.#client(token);
    const [services, banks, landing, micropayment, paymentPage] = await Promise.all([
      this.#checkServices(client, token),
      this.#checkBanks(client),
      this.#checkLanding(client),
      this.#checkMicropayment(client),
      this.#checkPaymentPage(client),
    ]);
    const clock = this.#checkClock();
    return {token: tokenFinding, services, banks, landing, micropayment, payment_page: paymentPage, clock};
  }

  async #checkToken(): Promise<[token: string | null, Finding]> {
    const {merchant, phsUrl} = this.context.config;
    if (phsUrl === null) return [null, NO_ORDERS];
    const client = this.#client(null);
    try {
      const {token} = await client.call('tokenGet', {merchant: merchant.id, key: await tokenKey(merchant)});
      // The Worker's earlier token may now be invalid.
      await this.context.objects.platform().replaceToken(token);
      await client.call('tokenCheck', {merchant: merchant.id, token});
      return [token, ok('The platform issues a token and accepts it.')];
    } catch (error) {
      return [null, this.#explain('token', platformFailureOf(error))];
    }
  }

  async #checkServices(client: PlatformClient, token: string | null): Promise<Finding> {
    if (this.context.config.phsUrl === null) return NO_ORDERS;
    if (token === null) return skipped('Not checked: this needs a token.');
    const codes = [...this.context.config.services.keys()].slice(0, MAX_SERVICES);
    const unreadable: string[] = [];
    for (const code of codes) {
      const failure = await failureOfCall(async () => {
        const {data} = await client.call('transactionSearch', {code, start: 0, length: 1});
        unreadable.push(...data.rows.flatMap(unreadableValues));
      });
      if (failure) return this.#explain('services', failure, code);
    }
    const [code = ''] = codes;
    const known = `The platform knows ${nameChecked(codes, this.context.config.services.size)}. ${await this.#describeSearch(client, code)}`;
    if (unreadable.length === 0) return ok(known);
    return warning(
      `${known} The Worker cannot read these values: ${[...new Set(unreadable)].join(', ')}.`,
      'Ask the platform for spellings of docs/contract.md. Money without a readable time is dated when it was first seen, and money without a readable amount does not count.',
    );
  }

  /**
   * Compares a search of today with a longer search and with a search without an end date, because the contract does
   * not say how many days a search shows. Each of the three searches counts the transactions dated today or later.
   */
  async #describeSearch(client: PlatformClient, code: string): Promise<string> {
    const now = Date.now();
    const today = formatPlatformDay(now);
    const count = async (startDate: string, endDate?: string) => {
      const transaction_date = {con_operator: '>=', value: `${today} 00:00:00`} as const;
      const Transaction = {startDate, ...(endDate !== undefined && {endDate}), transaction_date};
      return (await client.call('transactionSearch', {code, start: 0, length: 1, Transaction})).recordsFiltered;
    };
    const firstDay = formatPlatformDay(now - REPORTED_LATE_MS);
    try {
      // Today is searched first: a transaction that arrives between two searches then only raises the later counts.
      const ofToday = await count(today, formatPlatformDay(now + DAY_MS));
      const long = await countOrRefused(() => count(firstDay, formatPlatformDay(now + BOOKED_AHEAD_MS)));
      const open = await countOrRefused(() => count(firstDay));
      return describeCounts(ofToday, long, open);
    } catch (error) {
      platformFailureOf(error);
      return 'The span of a search could not be checked.';
    }
  }

  async #checkBanks(client: PlatformClient): Promise<Finding> {
    if (this.context.config.phsUrl === null) return NO_ORDERS;
    try {
      const {banks, unreadable} = await client.call('bankGetAll', {});
      if (unreadable > 0)
        return warning(
          `${banks.length} bank accounts to pay into. ${unreadable} more have no id or no code, so pages do not ` +
            'show them.',
          'Report the incomplete bank list to the platform.',
        );
      const {length} = shownAccounts(banks);
      const others = length < banks.length ? ` Pages do not show ${banks.length - length} in other currencies.` : '';
      return length > 0
        ? ok(`${length} bank accounts to pay into.${others}`)
        : warning(
            `The platform lists no bank account in lira.${others}`,
            'Ask the platform to open accounts for this merchant.',
          );
    } catch (error) {
      return this.#explain('banks', platformFailureOf(error));
    }
  }

  /** Sends an invalid number token. The answer "invalid token" shows that the platform accepts our authorization. */
  async #checkLanding(client: PlatformClient): Promise<Finding> {
    const failure = await failureOfCall(() => client.call('numberGet', {token: '0'}));
    if (failure?.outcome === 'unconfigured') return skipped('Landing pages are not set up.');
    const accepted = !failure || (failure.outcome === 'refused' && failure.status === INVALID_NUMBER_TOKEN);
    return accepted ? ok('The landing interface accepts our authorization.') : this.#explain('landing', failure);
  }

  async #checkMicropayment(client: PlatformClient): Promise<Finding> {
    if (!this.context.config.micropayment) return skipped('Mobile billing is not set up.');
    const billed = [...this.context.config.services].filter(([, {micropaymentId}]) => micropaymentId !== null);
    if (billed.length === 0) return skipped('No service has a mobile billing id.');
    const checked = billed.slice(0, MAX_SERVICES);
    for (const [code, {micropaymentId}] of checked) {
      const input = {serviceId: micropaymentId ?? '', search: [], sort: [], limit: 1, page: 1};
      const failure = await failureOfCall(() => client.call('subscriptionSearch', input));
      if (failure) return this.#explain('micropayment', failure, code);
    }
    const codes = checked.map(([code]) => code);
    const charges = await this.#describeChargeSearch(client, checked[0]?.[1].micropaymentId ?? '');
    return ok(`Mobile billing knows ${nameChecked(codes, billed.length)}. ${charges}`);
  }

  /** Says whether charges can be searched by the time of change. No charge has changed in the future. */
  async #describeChargeSearch(client: PlatformClient, serviceId: string): Promise<string> {
    const future = formatPlatformTime(Date.now() + DAY_MS);
    const count = async (term: string) => {
      const search = [{column: 'modifiedDate', term, condition: '>='}];
      const input = {serviceId, search, sort: [], limit: 1, page: 1};
      return countRows((await client.call('chargeSearch', input)).transactions);
    };
    try {
      let found = await countOrRefused(() => count(future));
      if (found === null) {
        // The platform allows one search a second.
        await scheduler.wait(SECOND_MS);
        found = await countOrRefused(() => count(future.replace(' ', 'T')));
      }
      if (found === 0) return 'Charges can be searched by the time of their last change.';
      const reading = found === null ? 'refuses' : 'ignores';
      return `A search of charges ${reading} the time of their last change, so the Worker reads the newest charges first.`;
    } catch (error) {
      platformFailureOf(error);
      return 'The search of charges could not be checked.';
    }
  }

  /**
   * Opens a payment page, because only this shows whether the platform accepts the key and the types of the fields. No
   * money moves: nobody gets the address of the page, and a page charges only a shopper who confirms there.
   */
  async #checkPaymentPage(client: PlatformClient): Promise<Finding> {
    if (!this.context.config.paymentPage) return skipped('The payment page is not set up.');
    const [serviceId] = this.context.config.billedServices.keys();
    if (serviceId === undefined) return skipped('No service has a mobile billing id.');
    const address = new URL('/', this.context.config.paymentPage.baseUrl).href;
    const failure = await failureOfCall(() =>
      client.call('paymentPageToken', {
        serviceId,
        referenceCode: `doctor-${Date.now()}`,
        item: 'doctor',
        price: '1.00',
        successUrl: address,
        failureUrl: address,
      }),
    );
    if (!failure) return ok('The platform opens a payment page with our key.');
    if (failure.outcome === 'refused' && failure.httpStatus === 400)
      return failed(
        `The platform opens no payment page. (${failure.status})`,
        isPageKeyRefused('paymentPageToken', failure)
          ? 'It refuses the key: check PAYMENT_PAGE_SECRET, PAYMENT_PAGE_KEY and MERCHANT_ID.'
          : 'Check PAYMENT_PAGE_TYPES, and the service’s micropaymentId in SERVICES.',
      );
    return this.#explain('payment_page', failure);
  }

  #checkClock(): Finding {
    const [aheadMs] = this.#clockOffsetsMs;
    if (aheadMs === undefined) return skipped('The platform’s answers contain no time.');
    if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS)
      return ok('The clocks of the platform and the Worker agree within a minute.');
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    return warning(
      `The platform’s clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the Worker’s.`,
      'Report this to the platform: searches by date may miss the newest records.',
    );
  }

  #explain(check: CalledCheck, failure: PlatformFailure, service?: string): Finding {
    return explainFailure({
      check,
      failure,
      egress: this.context.config.egress.kind,
      ...(service !== undefined && {service}),
    });
  }

  /**
   * Creates a separate client for the doctor, so an open circuit does not hide what is wrong, and the doctor's calls do
   * not open the circuit for other requests.
   */
  #client(token: string | null): PlatformClient {
    const current = async () => token ?? '';
    return new PlatformClient({
      interfaces: this.#interfaces(),
      of: this.context.config,
      tokens: {current, renew: current},
      quotas: this.context.quotas,
      fetch: async (url, init) => {
        const response = await this.context.egress.fetch(url, init);
        this.#recordClock(Date.parse(response.headers.get('date') ?? ''));
        return response;
      },
      clock: {now: Date.now, wait: (ms) => scheduler.wait(ms), random: Math.random},
    });
  }

  /**
   * The configured interfaces. For mobile billing, the time in the JSON of a reply is recorded too, because the reply
   * may have no `Date` header.
   */
  #interfaces(): ReturnType<typeof configuredInterfaces> {
    const {micropayment, ...others} = configuredInterfaces(this.context.config);
    if (!micropayment) return others;
    const read: typeof micropayment.read = (text, httpStatus) => {
      this.#recordClock(readResponseTime(text));
      return micropayment.read(text, httpStatus);
    };
    return {...others, micropayment: {request: (row, input, token) => micropayment.request(row, input, token), read}};
  }

  /** @param platformTime - Epoch milliseconds; NaN when the answer has no time. */
  #recordClock(platformTime: number): void {
    if (!Number.isNaN(platformTime)) this.#clockOffsetsMs.push(platformTime - Date.now());
  }
}

const named = (name: CheckName, finding: Finding): Check => ({name, ...finding});

/** The values of a transaction that decide whether an order is paid in time, if they cannot be read. */
function unreadableValues({amount, transaction_date: date}: TransactionItem): string[] {
  return [
    ...(amount !== null && parseAmount(amount) === null ? [`amount ${JSON.stringify(amount)}`] : []),
    ...(date !== null && readTime(date) === null ? [`transaction_date ${JSON.stringify(date)}`] : []),
  ];
}

async function failureOfCall(call: () => Promise<unknown>): Promise<PlatformFailure | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return platformFailureOf(error);
  }
}

/** Returns the count of a search; null if the platform refuses the search's values. */
async function countOrRefused(count: () => Promise<number>): Promise<number | null> {
  try {
    return await count();
  } catch (error) {
    if (areValuesRefused(platformFailureOf(error))) return null;
    throw error;
  }
}

/**
 * Says whether a search of several days and a search without an end date show the same number of transactions as a
 * search of today.
 */
function describeCounts(ofToday: number, long: number | null, open: number | null): string {
  if (long === null) return 'It refuses a search that spans ten days, so the Worker searches single days.';
  if (long < ofToday) return 'It shortens a search that spans ten days, so the Worker searches single days.';
  if (open === null) return 'It refuses a search without an end date; the Worker always sends an end date.';
  if (open < ofToday) return 'A search without an end date ends early; the Worker always sends an end date.';
  if (ofToday === 0) return 'No transaction is dated today, so the doctor cannot say how many days a search shows.';
  return 'A search may span ten days, with or without an end date.';
}

function platformFailureOf(error: unknown): PlatformFailure {
  if (error instanceof PlatformError) return error.failure;
  throw error;
}

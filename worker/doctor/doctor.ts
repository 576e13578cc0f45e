/** Examines a set-up against the platform and says in words what is wrong. Nothing it says holds a secret. */

import type {Config} from '../config/config.ts';
import {type Check, type CheckName, CHECKS} from '../contract/merchant/doctor.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import {parsePlatformTime} from '../lib/time.ts';
import {PlatformClient} from '../platform/client.ts';
import type {Egress} from '../platform/egress.ts';
import {type PlatformFailure, PlatformError} from '../platform/failure.ts';
import {configuredInterfaces} from '../platform/interfaces.ts';
import {tokenKey} from '../platform/keys.ts';
import type {QuotaSource} from '../platform/quotas.ts';
import {parseObject} from '../platform/reply-json.ts';
import {checkEgress} from './check-egress.ts';
import {explainFailure, type Finding, ok, skipped, warning} from './explain.ts';

interface DoctorContext {
  readonly quotas: QuotaSource;
  readonly egress: Egress;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

/** More services than these are not asked for: each costs a call. */
const MAX_SERVICES = 5;
/** What a wrong clock does first is to search the wrong days; a minute is far from that. */
const CLOCK_TOLERANCE_MS = MINUTE_MS;
/** Subscriptions 7.2: whoever looked at the number token has let us in. */
const INVALID_NUMBER_TOKEN = '027';

export class Doctor {
  /** How far the platform's clock is ahead of ours, as its answers say. */
  readonly #clockOffsetsMs: number[] = [];

  constructor(
    private readonly config: Config,
    private readonly context: DoctorContext,
  ) {}

  /** All checks, in the order they depend on each other. */
  async examine(): Promise<Check[]> {
    const egress = await checkEgress({config: this.config, ...this.context});
    const first = {configuration: this.#checkConfiguration(), egress};
    // Every other check would blame what stands behind the relay.
    if (egress.state === 'failed')
      return CHECKS.map((name) =>
        named(name, precedesToken(name) ? first[name] : skipped('Not looked at: egress comes first.')),
      );
    const [token, tokenFinding] = await this.#checkToken();
    const client = this.#client(token);
    const [services, banks, landing, micropayment] = await Promise.all([
      token === null ? skipped('Not looked at: without a token nothing can be asked.') : this.#checkServices(client),
      this.#checkBanks(client),
      this.#checkLanding(client),
      this.#checkMicropayment(client),
    ]);
    const findings: Record<CheckName, Finding> = {
      ...first,
      token: tokenFinding,
      services,
      banks,
      landing,
      micropayment,
      clock: this.#checkClock(),
    };
    return CHECKS.map((name) => named(name, findings[name]));
  }

  #checkConfiguration(): Finding {
    const {micropayment, paymentPage, landing, services} = this.config;
    const absent = [
      ...(micropayment ? [] : ['mobile billing (MICROPAYMENT_URL)']),
      ...(paymentPage ? [] : ['the payment page (PAYMENT_PAGE_URL, PAYMENT_PAGE_SECRET)']),
      ...(landing ? [] : ['landing pages (LANDING_URL, LANDING_AUTHORIZATION)']),
    ];
    const numberless = micropayment
      ? [...services].filter(([, {micropaymentId}]) => micropaymentId === null).map(([code]) => code)
      : [];
    if (numberless.length > 0) {
      return warning(
        `No number in mobile billing: ${numberless.join(', ')}.`,
        'Give these services a micropaymentId in SERVICES if they are billed.',
      );
    }
    const complete = absent.length > 0 ? `Complete for what it is for; not set up: ${absent.join(', ')}.` : 'Complete.';
    // To try it out would open a page for a payment that nobody makes.
    return ok(
      paymentPage
        ? `${complete} PAYMENT_PAGE_SECRET is not tried out: a wrong one shows when a payment page is opened.`
        : complete,
    );
  }

  async #checkToken(): Promise<[token: string | null, Finding]> {
    const {merchant} = this.config;
    const client = this.#client(null);
    try {
      const {token} = await client.call('tokenGet', {merchant: merchant.id, key: await tokenKey(merchant)});
      await client.call('tokenCheck', {merchant: merchant.id, token});
      return [token, ok('The platform gives us a token and knows it again.')];
    } catch (error) {
      return [null, this.#explain('token', platformFailureOf(error))];
    }
  }

  async #checkServices(client: PlatformClient): Promise<Finding> {
    const codes = [...this.config.services.keys()].slice(0, MAX_SERVICES);
    for (const code of codes) {
      const failure = await failureOfCall(() => client.call('transactionSearch', {code, start: 0, length: 1}));
      if (failure) return this.#explain('services', failure, code);
    }
    return ok(`The platform knows ${codes.join(', ')}.`);
  }

  async #checkBanks(client: PlatformClient): Promise<Finding> {
    try {
      const {banks, unreadable} = await client.call('bankGetAll', {});
      if (unreadable > 0)
        return warning(
          `${banks.length} accounts to pay into, and ${unreadable} without an id or a code, which are left out.`,
          'Tell the platform of the gaps in its bank list.',
        );
      return banks.length > 0
        ? ok(`${banks.length} accounts to pay into.`)
        : warning('The platform lists no account.', 'Ask the platform to open accounts for this merchant.');
    } catch (error) {
      return this.#explain('banks', platformFailureOf(error));
    }
  }

  /** Asks for a number by a token that is none: whoever answers "invalid token" has accepted our authorization. */
  async #checkLanding(client: PlatformClient): Promise<Finding> {
    const failure = await failureOfCall(() => client.call('numberGet', {token: '0'}));
    if (failure?.outcome === 'unconfigured') return skipped('Landing pages are not set up.');
    const accepted = !failure || (failure.outcome === 'refused' && failure.status === INVALID_NUMBER_TOKEN);
    return accepted ? ok('The landing interface takes our authorization.') : this.#explain('landing', failure);
  }

  async #checkMicropayment(client: PlatformClient): Promise<Finding> {
    if (!this.config.micropayment) return skipped('Mobile billing is not set up.');
    const numbered = [...this.config.services]
      .filter(([, {micropaymentId}]) => micropaymentId !== null)
      .slice(0, MAX_SERVICES);
    if (numbered.length === 0) return skipped('No service has a number in mobile billing.');
    for (const [code, {micropaymentId}] of numbered) {
      const input = {serviceId: micropaymentId ?? '', search: [], sort: [], limit: 1, page: 1};
      const failure = await failureOfCall(() => client.call('subscriptionSearch', input));
      if (failure) return this.#explain('micropayment', failure, code);
    }
    return ok(`Mobile billing knows ${numbered.map(([code]) => code).join(', ')}.`);
  }

  #checkClock(): Finding {
    const [aheadMs] = this.#clockOffsetsMs;
    if (aheadMs === undefined) return skipped('The platform tells no time.');
    if (Math.abs(aheadMs) <= CLOCK_TOLERANCE_MS) return ok('The platform’s clock and ours agree within a minute.');
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    return warning(
      `The platform’s clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} ours.`,
      'Tell the platform; searches by day may miss what is new.',
    );
  }

  #explain(check: CheckName, failure: PlatformFailure, service?: string): Finding {
    return explainFailure({check, failure, egress: this.config.egress.kind, ...(service !== undefined && {service})});
  }

  /** A client of the doctor's own: an open breaker must not hide what is wrong, nor a look at it open one. */
  #client(token: string | null): PlatformClient {
    const current = async () => token ?? '';
    return new PlatformClient({
      interfaces: this.#interfaces(),
      tokens: {current, renew: current},
      quotas: this.context.quotas,
      fetch: async (url, init) => {
        const response = await this.context.egress.fetch(url, init);
        this.#recordClock(Date.parse(response.headers.get('date') ?? ''));
        return response;
      },
      clock: {now: this.context.now, wait: (ms) => scheduler.wait(ms), random: Math.random},
    });
  }

  /** Where an answer has no `Date`, those of mobile billing say when they were given. */
  #interfaces(): ReturnType<typeof configuredInterfaces> {
    const {micropayment, ...others} = configuredInterfaces(this.config);
    if (!micropayment) return others;
    const read: typeof micropayment.read = (text, httpStatus) => {
      this.#recordClock(readResponseTime(text));
      return micropayment.read(text, httpStatus);
    };
    return {...others, micropayment: {request: (row, input, token) => micropayment.request(row, input, token), read}};
  }

  /** @param then epoch milliseconds; NaN where nothing is said. */
  #recordClock(then: number): void {
    if (!Number.isNaN(then)) this.#clockOffsetsMs.push(then - this.context.now());
  }
}

const precedesToken = (name: CheckName) => name === 'configuration' || name === 'egress';
const named = (name: CheckName, finding: Finding): Check => ({name, ...finding});

async function failureOfCall(call: () => Promise<unknown>): Promise<PlatformFailure | null> {
  try {
    await call();
    return null;
  } catch (error) {
    return platformFailureOf(error);
  }
}

function platformFailureOf(error: unknown): PlatformFailure {
  if (error instanceof PlatformError) return error.failure;
  throw error;
}

/** When mobile billing gave a reply (subscriptions 2.1), as epoch milliseconds; NaN where it does not say. Three spellings were seen. */
export function readResponseTime(text: string): number {
  const {responseTime, responsetime, respnseTime} = (parseObject(text)?.['response'] ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const time = String(responseTime ?? responsetime ?? respnseTime ?? '');
  return (/^\d{12,14}$/.test(time) ? Number(time) : parsePlatformTime(time)) ?? Number.NaN;
}

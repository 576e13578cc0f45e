/** Checks whether the platform refuses the Worker's calls, whether limits refuse shoppers, and what stops no stranger. */

import type {Config} from '../config/config.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import type {LimitRefusals, Notices, ReportedTrouble} from '../objects/platform/health.ts';
import type {TokenProblems} from '../objects/platform/token.ts';
import type {InterfaceName} from '../platform/operation.ts';
import type {Trouble} from '../platform/reporter.ts';
import {ok, type OwnCheck, ringing, skipped, warning} from './check.ts';

/** What isolates noticed in the last minutes, and why there may be no token. */
interface PlatformState extends Notices {
  readonly token: TokenProblems;
}

/** An interface that fails or limits our calls for less time than this may recover by itself, so no monitor rings. */
const RINGS_AFTER_MS = 5 * MINUTE_MS;

export const limits: OwnCheck<PlatformState> = {
  async read({objects}) {
    const platform = objects.platform();
    const [token, noticed] = await Promise.all([platform.tokenProblems(), platform.notices()]);
    return {token, ...noticed};
  },

  find(fact, {config}) {
    const limited = (fact?.troubles ?? []).filter(({kind}) => kind === 'calls_limited');
    const sentences = [
      ...limited.map((trouble) => describeLimitedCalls(trouble.interface)),
      ...noticesOf(fact, config),
    ];
    if (sentences.length > 0) {
      return warning(
        sentences.join(' '),
        describeMissingHumanCheck(config) === null
          ? 'Somebody sends too many requests, or a limit in LIMITS is too low: docs/operations.md.'
          : 'Set TURNSTILE_SITEKEY and TURNSTILE_SECRET (docs/deploy.md), and raise limits in LIMITS that are too low.',
      );
    }
    if (fact === null) return skipped('The Durable Object that counts refused requests does not answer.');
    return ok('No limit refused a shopper in the last five minutes.');
  },

  problems: ({token: {refusal, isUnreachable}, troubles}) => [
    ...(refusal === null ? [] : [ringing(describeTokenRefusal(refusal))]),
    ...(isUnreachable ? [ringing(TOKEN_MISSING)] : []),
    ...[...Map.groupBy(troubles, describeTrouble)].map(([text, same]) => ({text, rings: same.some(doesTroubleRing)})),
  ],
  source: 'A Durable Object that knows whether the platform works',

  notices: noticesOf,
};

function noticesOf(fact: PlatformState | null, config: Config): string[] {
  const missing = [describeMissingHumanCheck(config), describeMissingNotificationKey(config)];
  return [...describeRefusals(fact?.refusals ?? []), ...missing.filter((notice) => notice !== null)];
}

const INTERFACE_NAMES: Readonly<Record<InterfaceName, string>> = {
  phs: 'The platform',
  micropayment: 'Mobile billing',
  payment_page: 'The payment page',
  landing: 'The landing interface',
};

/** The interface said in the last five minutes that it is called too often. */
function describeLimitedCalls(name: InterfaceName): string {
  const remedy =
    name === 'phs' ? 'Lower phs_calls in QUOTAS, or ask the platform for more.' : 'Wait, or ask it for more.';
  return `${INTERFACE_NAMES[name]} says that it is called too often, so shoppers may have to wait. ${remedy}`;
}

/** One sentence for each limit that refused requests in the last five minutes. */
function describeRefusals(refusals: readonly LimitRefusals[]): string[] {
  return refusals.map(
    ({limit, count}) =>
      `In the last five minutes, the limit ${limit} refused at least ${count} ${count === 1 ? 'request' : 'requests'}.`,
  );
}

/** Names the offers that have a limit but no human check; null if there are none, and always null with the sandbox. */
function describeMissingHumanCheck({turnstile, isSandbox, offers, limits: values}: Config): string | null {
  if (turnstile !== null || isSandbox) return null;
  const limited = {
    payment: values.addressUnpaidOrdersPerDay !== null || values.serviceOrdersPerMinute !== null,
    subscription:
      values.addressPinsPerHour !== null || values.prefixPinsPerHour !== null || values.confirmRatePercent !== null,
  };
  const names = [...offers].filter(([, {kind}]) => limited[kind]).map(([name]) => name);
  return names.length === 0
    ? null
    : `No human check is set up for ${names.join(', ')}: above a limit, the Worker refuses every shopper instead of ` +
        'asking for the check.';
}

/** Says that notifications of mobile billing are refused, because anybody could send them; null if they have a key. */
function describeMissingNotificationKey({notifications, hintKeys}: Config): string | null {
  const isExpected = notifications.has('billing') || notifications.has('subscription');
  return isExpected && hintKeys.length === 0
    ? 'Notifications of mobile billing are refused, because anybody could send them: set the secret NOTIFICATION_KEY ' +
        'and add it to the addresses that the platform calls.'
    : null;
}

function doesTroubleRing({kind, sinceMs}: ReportedTrouble): boolean {
  return (kind !== 'circuit_open' && kind !== 'calls_limited') || sinceMs >= RINGS_AFTER_MS;
}

function describeTrouble({kind, interface: interfaceName}: Pick<Trouble, 'kind' | 'interface'>): string {
  switch (kind) {
    case 'circuit_open':
      return `${INTERFACE_NAMES[interfaceName]} keeps failing, and the Worker tries it again. The doctor says why.`;
    case 'calls_limited':
      return describeLimitedCalls(interfaceName);
    case 'address_refused':
      return (
        `${INTERFACE_NAMES[interfaceName]} does not know the IP address of our calls. They must come from the address ` +
        'that is registered there.'
      );
    case 'credentials_refused':
      return `${INTERFACE_NAMES[interfaceName]} refuses our credentials. The doctor says why.`;
  }
}

const TOKEN_MISSING = 'The platform cannot be reached for a token, so no orders can be created. The doctor says why.';

function describeTokenRefusal(status: string): string {
  switch (status) {
    case 'ERR_007':
      return 'The platform refuses our key. Check MERCHANT_ID, MERCHANT_KEY and MERCHANT_IP, which is part of the key.';
    case 'ERR_002':
      return describeTrouble({kind: 'address_refused', interface: 'phs'});
    case '429':
      return describeLimitedCalls('phs');
    case 'ERR_016':
      return (
        'The platform refuses every token that it issues to us. Ask its support whether another system requests ' +
        'tokens for this merchant.'
      );
    default:
      return 'The platform issues no token. The log event `token_refused` shows its status.';
  }
}

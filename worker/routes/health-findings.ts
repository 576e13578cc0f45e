/** What `/health` finds: each problem in a sentence, and whether a monitor should ring. */

import type {Context} from '../context.ts';
import {describeLimitedCalls, INTERFACE_NAMES} from '../doctor/limit-notices.ts';
import {mapConcurrent} from '../lib/async.ts';
import {DAY_MS, HOUR_MS, MINUTE_MS} from '../lib/durations.ts';
import type {DeliveryBacklog} from '../objects/events/delivery-store.ts';
import {isFailing, RESEND_WAITING, type WebhookView} from '../objects/events/webhook-view.ts';
import type {ReportedTrouble} from '../objects/platform/health.ts';
import type {TokenProblems} from '../objects/platform/token.ts';

export interface Problem {
  readonly text: string;
  /** Whether `/health` answers 503, so that a monitor rings. */
  readonly rings: boolean;
}

/** How long ago a service was last searched for money. */
export interface SweepAge {
  readonly service: string;
  readonly ageMs: number;
}

/** Where money is searched: for transfers and for charges. */
export interface SearchAges {
  readonly transfers: readonly SweepAge[];
  readonly charges: readonly SweepAge[];
}

/** An interface that fails or limits our calls for less time than this may recover by itself, so no monitor rings. */
const RINGS_AFTER_MS = 5 * MINUTE_MS;
/** Searches are at most five minutes apart, for transfers even while the platform fails. */
const MAX_SWEEP_AGE_MS = 15 * MINUTE_MS;
const MAX_WEBHOOK_WAIT_MS = HOUR_MS;
/** Monitors ring for a day after the Worker gave up an event. After that day, the operator knows about the event. */
const DEAD_RINGS_MS = DAY_MS;
/** `/health` reads the age of at most this many services, because each service wakes an object. */
const MAX_SERVICES = 20;

export async function readSearchAges({config, objects}: Context): Promise<SearchAges> {
  const {services, phsUrl, paymentPage} = config;
  const billed = [...services].flatMap(([service, {micropaymentId}]) => (micropaymentId === null ? [] : [service]));
  const transferred = phsUrl === null ? [] : [...services.keys()].slice(0, MAX_SERVICES);
  const charged = paymentPage ? billed.slice(0, MAX_SERVICES) : [];
  const asked = [...new Set([...transferred, ...charged])];
  const ages = new Map(
    await mapConcurrent(5, asked, async (service) => [service, await objects.service(service).ages()] as const),
  );
  const agesOf = (names: readonly string[], list: 'transfers' | 'charges'): SweepAge[] =>
    names.flatMap((service) => {
      const ageMs = ages.get(service)?.[list] ?? null;
      return ageMs === null ? [] : [{service, ageMs}];
    });
  return {transfers: agesOf(transferred, 'transfers'), charges: agesOf(charged, 'charges')};
}

export function findPlatformProblems(
  {refusal, isUnreachable}: TokenProblems,
  troubles: readonly ReportedTrouble[],
): Problem[] {
  return [
    ...(refusal === null ? [] : [{text: describeTokenRefusal(refusal), rings: true}]),
    ...(isUnreachable ? [{text: TOKEN_MISSING, rings: true}] : []),
    ...[...Map.groupBy(troubles, describeTrouble)].map(([text, same]) => ({text, rings: same.some(doesTroubleRing)})),
  ];
}

export function findSearchProblems({transfers, charges}: SearchAges): Problem[] {
  return [...describeAges(transfers, 'money', 'sweep_failed'), ...describeAges(charges, 'charges', 'charges_unread')];
}

function describeAges(ages: readonly SweepAge[], sought: string, event: string): Problem[] {
  return ages
    .filter(({ageMs}) => ageMs > MAX_SWEEP_AGE_MS)
    .map(({service, ageMs}) => ({
      text:
        `The service ${service} was last searched for ${sought} ${Math.floor(ageMs / MINUTE_MS)} minutes ago. The log ` +
        `event \`${event}\` says why.`,
      rings: true,
    }));
}

/**
 * Monitors ring if a webhook fails, if an event about money of an order waits although an attempt failed, if any event
 * waits for more than `MAX_WEBHOOK_WAIT_MS`, or if the Worker has given up an event.
 */
export function findWebhookProblems(
  webhooks: readonly WebhookView[],
  {waiting, oldestMs, sinceDeadMs}: DeliveryBacklog,
): Problem[] {
  const problems: Problem[] = webhooks
    .filter(isFailing)
    .map(({id}) => ({text: `Events do not reach the webhook ${id}. The doctor says why.`, rings: true}));
  for (const {id} of webhooks.filter(({unheardMoney}) => unheardMoney > 0))
    problems.push({
      text: `The webhook ${id} did not accept an event about money of an order. ${RESEND_WAITING}`,
      rings: true,
    });
  if (waiting > 0 && oldestMs > MAX_WEBHOOK_WAIT_MS)
    problems.push({
      text:
        `Events wait for your server, the oldest for ${Math.floor(oldestMs / MINUTE_MS)} minutes. The log event ` +
        '`event_refused` shows the status of the server’s answers.',
      rings: true,
    });
  if (sinceDeadMs !== null && sinceDeadMs < DEAD_RINGS_MS)
    problems.push({
      text: 'Events could not be delivered to your server. Read them with GET /merchant/v1/events/dead.',
      rings: true,
    });
  return problems;
}

function doesTroubleRing({kind, sinceMs}: ReportedTrouble): boolean {
  return (kind !== 'circuit_open' && kind !== 'calls_limited') || sinceMs >= RINGS_AFTER_MS;
}

function describeTrouble({kind, interface: interfaceName}: ReportedTrouble): string {
  switch (kind) {
    case 'circuit_open':
      return (
        `${INTERFACE_NAMES[interfaceName]} keeps failing, so the Worker calls it only now and then until it recovers. ` +
        'You need not do anything.'
      );
    case 'calls_limited':
      return describeLimitedCalls(interfaceName);
    case 'address_refused':
      return (
        `${INTERFACE_NAMES[interfaceName]} does not know the IP address of our calls. They must come from the address ` +
        'that is registered there.'
      );
    case 'credentials_refused':
      return `${INTERFACE_NAMES[interfaceName]} refuses our credentials. The doctor says which ones to check.`;
  }
}

const TOKEN_MISSING = 'The platform cannot be reached for a token, so no orders can be created. The doctor says why.';

function describeTokenRefusal(status: string): string {
  switch (status) {
    case 'ERR_007':
      return 'The platform refuses our key. Check MERCHANT_ID, MERCHANT_KEY and MERCHANT_IP, which is part of the key.';
    case 'ERR_002':
      return (
        'The platform does not know the IP address of our calls. They must come from the address that is registered ' +
        'there.'
      );
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

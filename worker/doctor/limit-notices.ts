/** Says which limits refused shoppers, and what stops no stranger. `/health` and the doctor show this. */

import type {Config} from '../config/config.ts';
import type {LimitRefusals} from '../objects/platform/health.ts';
import type {InterfaceName} from '../platform/operation.ts';

export const INTERFACE_NAMES: Readonly<Record<InterfaceName, string>> = {
  phs: 'The platform',
  micropayment: 'Mobile billing',
  payment_page: 'The payment page',
  landing: 'The landing interface',
};

/** The interface said in the last five minutes that it is called too often. */
export function describeLimitedCalls(name: InterfaceName): string {
  const remedy =
    name === 'phs' ? 'Lower phs_calls in QUOTAS, or ask the platform for more.' : 'Wait, or ask it for more.';
  return `${INTERFACE_NAMES[name]} says that it is called too often, so shoppers may have to wait. ${remedy}`;
}

/** One sentence for each limit that refused requests in the last five minutes. */
export function describeRefusals(refusals: readonly LimitRefusals[]): string[] {
  return refusals.map(
    ({limit, count}) =>
      `In the last five minutes, the limit ${limit} refused at least ${count} ${count === 1 ? 'request' : 'requests'}.`,
  );
}

/** Names the offers that have a limit but no human check; null if there are none, and always null with the sandbox. */
export function describeMissingHumanCheck({turnstile, isSandbox, offers, limits}: Config): string | null {
  if (turnstile !== null || isSandbox) return null;
  const limited = {
    payment: limits.addressUnpaidOrdersPerDay !== null || limits.serviceOrdersPerMinute !== null,
    subscription:
      limits.addressPinsPerHour !== null || limits.prefixPinsPerHour !== null || limits.confirmRatePercent !== null,
  };
  const names = [...offers].filter(([, {kind}]) => limited[kind]).map(([name]) => name);
  return names.length === 0
    ? null
    : `No human check is set up for ${names.join(', ')}: above a limit, the Worker refuses every shopper instead of ` +
        'asking for the check.';
}

/** Says that notifications of mobile billing are refused, because anybody could send them; null if they have a key. */
export function describeMissingNotificationKey({notifications, hintKeys}: Config): string | null {
  const isExpected = notifications.has('billing') || notifications.has('subscription');
  return isExpected && hintKeys.length === 0
    ? 'Notifications of mobile billing are refused, because anybody could send them: set the secret NOTIFICATION_KEY ' +
        'and add it to the addresses that the platform calls.'
    : null;
}

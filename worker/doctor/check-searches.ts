/** Checks that the platform is searched for money: for transfers and for charges. */

import {mapConcurrent} from '../lib/async.ts';
import {MINUTE_MS} from '../lib/durations.ts';
import {seriesName} from '../lib/metrics.ts';
import {type OwnCheck, type Problem, ringing} from './check.ts';

/** How long ago a service was last searched. */
interface SearchAge {
  readonly service: string;
  readonly ageMs: number;
}

interface SearchAges {
  readonly transfers: readonly SearchAge[];
  readonly charges: readonly SearchAge[];
}

/** Searches are at most five minutes apart, for transfers even while the platform fails. */
const LATE_MS = 15 * MINUTE_MS;
const MAX_ASKED_SERVICES = 20;

export const isSearchLate = (ageMs: number): boolean => ageMs > LATE_MS;

export const searches: OwnCheck<SearchAges> = {
  async read({config: {services, phsUrl, paymentPage}, objects}) {
    const billed = [...services].flatMap(([service, {micropaymentId}]) => (micropaymentId === null ? [] : [service]));
    const transferred = phsUrl === null ? [] : [...services.keys()].slice(0, MAX_ASKED_SERVICES);
    const charged = paymentPage ? billed.slice(0, MAX_ASKED_SERVICES) : [];
    const asked = [...new Set([...transferred, ...charged])];
    const ages = new Map(
      await mapConcurrent(5, asked, async (service) => [service, await objects.service(service).ages()] as const),
    );
    const agesOf = (names: readonly string[], list: 'transfers' | 'charges'): SearchAge[] =>
      names.flatMap((service) => {
        const ageMs = ages.get(service)?.[list] ?? null;
        return ageMs === null ? [] : [{service, ageMs}];
      });
    return {transfers: agesOf(transferred, 'transfers'), charges: agesOf(charged, 'charges')};
  },

  problems: ({transfers, charges}) => [
    ...describeAges(transfers, 'money', 'sweep_failed'),
    ...describeAges(charges, 'charges', 'charges_unread'),
  ],
  source: 'A Durable Object that searches for money',

  gauges: ({transfers}) =>
    Object.fromEntries(transfers.map(({service, ageMs}) => [seriesName('sweep_age_seconds', {service}), ageMs / 1000])),
};

function describeAges(ages: readonly SearchAge[], sought: string, event: string): Problem[] {
  return ages
    .filter(({ageMs}) => isSearchLate(ageMs))
    .map(({service, ageMs}) =>
      ringing(
        `The service ${service} was last searched for ${sought} ${Math.floor(ageMs / MINUTE_MS)} minutes ago. The log ` +
          `event \`${event}\` says why.`,
      ),
    );
}

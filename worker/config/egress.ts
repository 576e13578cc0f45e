/** The way calls leave for the platform, with what it needs. */

import type {EgressConfig} from '../platform/egress.ts';
import type {BaseId} from '../platform/relay/protocol.ts';

/** The bindings behind it, each right by itself. */
interface Bindings {
  readonly EGRESS: EgressConfig['kind'];
  readonly PLATFORM?: Pick<Fetcher, 'fetch'> | undefined;
  readonly RELAY_URL?: string | undefined;
  readonly RELAY_SECRET?: string | undefined;
  readonly RELAY_SECRET_PREVIOUS?: string | undefined;
  readonly PHS_URL: string;
  readonly MICROPAYMENT_URL?: string | undefined;
  readonly PAYMENT_PAGE_URL?: string | undefined;
  readonly LANDING_URL?: string | undefined;
}

/** @param invalidBindings takes the names of what the chosen way misses. */
export function toEgress(bindings: Bindings, invalidBindings: Set<string>): EgressConfig {
  const {EGRESS, PLATFORM, RELAY_URL, RELAY_SECRET, RELAY_SECRET_PREVIOUS} = bindings;
  if (EGRESS === 'binding' && PLATFORM) return {kind: 'binding', platform: PLATFORM};
  if (EGRESS === 'relay' && RELAY_URL && RELAY_SECRET) {
    return {
      kind: 'relay',
      url: RELAY_URL,
      secrets: [RELAY_SECRET, ...(RELAY_SECRET_PREVIOUS ? [RELAY_SECRET_PREVIOUS] : [])],
      bases: toRelayBases(bindings),
    };
  }
  const needed = {direct: {}, binding: {PLATFORM}, relay: {RELAY_URL, RELAY_SECRET}}[EGRESS];
  for (const [name, value] of Object.entries(needed)) if (value === undefined) invalidBindings.add(name);
  return {kind: 'direct'};
}

function toRelayBases({PHS_URL, MICROPAYMENT_URL, PAYMENT_PAGE_URL, LANDING_URL}: Bindings): Map<BaseId, string> {
  const bases: [BaseId, string | undefined][] = [
    ['phs', PHS_URL],
    ['micropayment', MICROPAYMENT_URL],
    ['payment_page', PAYMENT_PAGE_URL],
    ['landing', LANDING_URL],
  ];
  return new Map(bases.filter((base): base is [BaseId, string] => base[1] !== undefined));
}

/** How calls leave the Worker for the platform. */

import type {BaseId} from './relay/protocol.ts';
import {RelayClient} from './relay/relay-client.ts';
import type {PlatformFetch} from './transport.ts';

export type EgressConfig =
  | {readonly kind: 'direct'}
  | {readonly kind: 'binding'; readonly platform: Pick<Fetcher, 'fetch'>}
  | {
      readonly kind: 'relay';
      readonly url: string;
      /** The current secret first, then the previous one. */
      readonly secrets: readonly string[];
      /** The platform's addresses, by the names the relay has for them. */
      readonly bases: ReadonlyMap<BaseId, string>;
    };

export interface Egress {
  /** Sends one request. It does not follow redirects that it is not asked to follow. */
  readonly fetch: PlatformFetch;
  /**
   * Whether a GET reaches the platform at most once. A runtime may send a GET again when a connection it had used
   * before dies under it, and some of the platform's GETs move money.
   */
  readonly oneAttempt: boolean;
  /** The relay itself, where calls leave by one: it can be asked about its host. */
  readonly relay: RelayClient | null;
}

/** The way `EGRESS` names. */
export function egressOf({egress}: {readonly egress: EgressConfig}): Egress {
  switch (egress.kind) {
    // Straight out, from whatever address the edge has: for platforms that do not ask for a fixed one.
    case 'direct':
      return {fetch: (url, init) => fetch(url, init), oneAttempt: false, relay: null};
    // Through the service or VPC binding `PLATFORM`. What lies behind it keeps connections of its own, and may repeat a GET.
    case 'binding':
      return {fetch: (url, init) => egress.platform.fetch(url, init), oneAttempt: false, relay: null};
    case 'relay': {
      const relay = new RelayClient({...egress, fetch: (url, init) => fetch(url, init), now: Date.now});
      return {fetch: (url, init) => relay.fetch(url, init), oneAttempt: true, relay};
    }
  }
}

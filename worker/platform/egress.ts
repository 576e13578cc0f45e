/** The egress: the route on which calls leave the Worker for the platform. */

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
      /** The platform's base URLs, by the relay's names for them. */
      readonly bases: ReadonlyMap<BaseId, string>;
    };

export interface Egress {
  /** Sends one request. It follows redirects only when the request says so. */
  readonly fetch: PlatformFetch;
  /**
   * Whether a GET reaches the platform at most once. A runtime may repeat a GET when a reused connection breaks, and
   * some of the platform's GETs move money.
   */
  readonly oneAttempt: boolean;
  /** The relay that calls leave through, which can describe its host; null without one. */
  readonly relay: RelayClient | null;
}

/** The egress that the configuration names (`EGRESS`). */
export function egressOf({egress}: {readonly egress: EgressConfig}): Egress {
  switch (egress.kind) {
    // Directly, from any address of the edge: for platforms that do not require a fixed address.
    case 'direct':
      return {fetch: (url, init) => fetch(url, init), oneAttempt: false, relay: null};
    // Through the service or VPC binding `PLATFORM`. The network behind it manages its own connections and may repeat a
    // GET.
    case 'binding':
      return {fetch: (url, init) => egress.platform.fetch(url, init), oneAttempt: false, relay: null};
    case 'relay': {
      const relay = new RelayClient({...egress, fetch: (url, init) => fetch(url, init), now: Date.now});
      return {fetch: (url, init) => relay.fetch(url, init), oneAttempt: true, relay};
    }
  }
}

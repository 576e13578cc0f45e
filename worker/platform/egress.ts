/** The egress: the route by which the Worker's calls reach the platform. */

import type {BaseId} from './relay/protocol.ts';
import {RelayClient} from './relay/relay-client.ts';
import type {PlatformFetch} from './transport.ts';

export type EgressConfig =
  | {readonly kind: 'direct'}
  | {readonly kind: 'binding'; readonly platform: Pick<Fetcher, 'fetch'>}
  | {
      readonly kind: 'relay';
      readonly url: string;
      /** The current secret first, then the previous secret. */
      readonly secrets: readonly string[];
      /** The platform's base URLs, by the relay's names for them. */
      readonly bases: ReadonlyMap<BaseId, string>;
    };

export interface Egress {
  /** Sends one request, and follows redirects only if the request allows redirects. */
  readonly fetch: PlatformFetch;
  /**
   * Whether a GET request reaches the platform at most once. A runtime may repeat a GET request when a reused
   * connection breaks, but some of the platform's GET requests move money.
   */
  readonly oneAttempt: boolean;
  /** The relay through which calls go, and which can report its host's IP address; null if no relay is used. */
  readonly relay: RelayClient | null;
}

/** Creates the egress that the setting `EGRESS` names. */
export function egressOf({egress}: {readonly egress: EgressConfig}): Egress {
  switch (egress.kind) {
    // Calls leave from any IP address of the edge, for platforms that do not require a fixed IP address.
    case 'direct':
      return {fetch: (url, init) => fetch(url, init), oneAttempt: false, relay: null};
    // Calls go through the service or VPC binding `PLATFORM`. The network behind the binding manages its own
    // connections and may repeat a GET request.
    case 'binding':
      return {fetch: (url, init) => egress.platform.fetch(url, init), oneAttempt: false, relay: null};
    case 'relay': {
      const relay = new RelayClient({...egress, fetch: (url, init) => fetch(url, init), now: Date.now});
      return {fetch: (url, init) => relay.fetch(url, init), oneAttempt: true, relay};
    }
  }
}

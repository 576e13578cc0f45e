/** How calls leave the Worker for the platform. */
import type {Config} from '../config.ts';

export interface Egress {
  /** Sends one request. It does not follow redirects that it is not asked to follow. */
  readonly fetch: typeof fetch;
  /**
   * Whether a GET reaches the platform at most once. A runtime may send a GET again when a connection it had used
   * before dies under it, and some of the platform's GETs move money.
   */
  readonly oneAttempt: boolean;
}

/** The way `EGRESS` names. */
export function egressOf({egress}: Config): Egress {
  switch (egress.kind) {
    // Straight out, from whatever address the edge has: for platforms that do not ask for a fixed one.
    case 'direct': return {fetch: (input, init) => fetch(input, init), oneAttempt: false};
    // Through the service or VPC binding `PLATFORM`. What lies behind it keeps connections of its own, and may repeat a GET.
    case 'binding': return {fetch: (input, init) => egress.platform.fetch(input, init), oneAttempt: false};
  }
}

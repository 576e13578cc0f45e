/** The types and the secret that tests share with the webhook receiver in `webhook-receiver.ts`. */

export const SECRET = 'whsec_dmV6bmUgd2ViaG9vayB0ZXN0IHNlY3JldCAwMDAx';

/** How the receiver answers webhooks. */
export interface ReceiverPlan {
  /** The plan applies only to requests with this path. A plan without a path applies to all, and ends earlier plans. */
  readonly path?: string;
  /** How long the receiver takes to answer. */
  readonly delayMs?: number;
  /** The HTTP status of a refusal; by default 503. */
  readonly status?: number;
  /** The fraction of requests to refuse, 0 to 1. */
  readonly refused?: number;
  /** Refuses only events whose body contains this text. */
  readonly about?: string;
  /** Does not answer until the plan changes. */
  readonly silent?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** The secret with which the receiver verifies the signature, and the format of this secret. */
  readonly secret?: string;
  readonly format?: 'raw';
  /** Several secrets, to see which of them verify. */
  readonly secrets?: readonly string[];
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly body: unknown;
  /** Whether the library `standardwebhooks` accepts the signature. */
  readonly genuine: boolean;
  /** Whether the receiver accepted the event. */
  readonly taken: boolean;
  /** How many signatures the request carried. */
  readonly signatures: number;
  /** Those of the plan's `secrets` that verify. */
  readonly verifying?: readonly string[];
  /** The path of the request, unless it is `/`. */
  readonly path?: string;
}

/** What the receiver has measured since `/empty` was last called. Times are from the real clock, in milliseconds. */
export interface ReceiverStats {
  readonly firstAt: number;
  readonly lastAt: number;
  /** The largest number of requests that the receiver answered at the same time. */
  readonly peak: number;
  /** How many webhooks were received. */
  readonly received: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly receiverUrl: string;
  }
}

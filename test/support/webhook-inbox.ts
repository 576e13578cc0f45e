/** The types and the secret that tests share with the webhook receiver in `webhook-receiver.ts`. */

export const SECRET = 'whsec_dmV6bmUgd2ViaG9vayB0ZXN0IHNlY3JldCAwMDAx';

/** How the receiver answers webhooks. */
export interface ReceiverPlan {
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
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly body: unknown;
  /** Whether the public library accepts the signature. */
  readonly genuine: boolean;
  /** Whether the receiver accepted the event. */
  readonly taken: boolean;
  /** How many signatures the request carried. */
  readonly signatures: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly receiverUrl: string;
  }
}

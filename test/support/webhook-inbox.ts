/** How the receiver of webhooks behaves, and what it heard. */

export const SECRET = 'whsec_dmV6bmUgd2ViaG9vayB0ZXN0IHNlY3JldCAwMDAx';

/** What an inbox does with what comes. */
export interface ReceiverPlan {
  /** HTTP status of a refusal; 503 by default. */
  readonly status?: number;
  /** Which part of all requests is refused, from 0 to 1. */
  readonly refused?: number;
  /** Refuses only events whose body holds this text. */
  readonly about?: string;
  /** Answers nothing until the plan changes. */
  readonly silent?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  /** Secret and format to check with. */
  readonly secret?: string;
  readonly format?: 'raw';
}

export interface ReceivedWebhook {
  readonly id: string;
  readonly body: unknown;
  /** What the public library says of the signature. */
  readonly genuine: boolean;
  readonly taken: boolean;
  readonly signatures: number;
}

declare module 'vitest' {
  export interface ProvidedContext {
    readonly receiverUrl: string;
  }
}

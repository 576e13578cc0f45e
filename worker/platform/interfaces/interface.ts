/** What differs between the platform's interfaces: addresses, encoding, credentials and the envelope of a reply. */

import type {Operation} from '../operation.ts';

export interface PlatformRequest {
  readonly url: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | URLSearchParams;
}

/** What a readable reply says. */
export interface ReplyEnvelope {
  readonly success: boolean;
  /** The platform's own status, as text. */
  readonly status: string;
  readonly message: string;
  /** Where the interface answers with HTTP statuses that mean something. */
  readonly httpStatus?: number;
  /** The reply as an object. */
  readonly body: object;
}

export interface PlatformInterface {
  /** @param token the platform token where the row needs one. */
  request(
    row: Operation,
    input: Readonly<Record<string, unknown>>,
    token: string | null,
  ): PlatformRequest | Promise<PlatformRequest>;
  /** Null where the reply cannot be read. */
  read(text: string, httpStatus: number): ReplyEnvelope | null;
}

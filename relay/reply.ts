/** What the Worker is told: a line of JSON, a line end, and the platform's answer, all signed together with the question's nonce. */

import type {Forwarded, UnknownReason, UnsentReason} from './forward.ts';

export type Verdict =
  | (Forwarded & {readonly outcome: 'answered'})
  /** Certainly nothing was sent, and this envelope never will be. */
  | {
      readonly outcome: 'unsent';
      readonly reason: UnsentReason | 'busy' | 'address' | 'header' | 'base';
      readonly retryAfterMs: number;
    }
  | {readonly outcome: 'unknown'; readonly reason: UnknownReason | Refusal};

export function writeVerdict(verdict: Verdict): Buffer {
  switch (verdict.outcome) {
    case 'answered': {
      const {body, ...head} = verdict;
      return write(head, body);
    }
    case 'unsent': {
      const {outcome, reason, retryAfterMs} = verdict;
      return write({outcome, reason, retry_after_ms: retryAfterMs});
    }
    case 'unknown':
      return write(verdict);
  }
}

/** What the relay says of itself. */
export interface About {
  /** Its clock, epoch milliseconds. */
  readonly now: number;
  readonly startedAt: number;
  /** The addresses that calls leave this host from; behind a translating router nobody else sees them. */
  readonly sources: readonly string[];
  /** What its operator says the platform sees; null where nothing is said. */
  readonly address: string | null;
}

export function writeAbout({now, startedAt, sources, address}: About): Buffer {
  return write({outcome: 'about', now, started_at: startedAt, sources, address});
}

function write(head: object, body: Buffer = Buffer.alloc(0)): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({v: 1, ...head})}\n`), body]);
}

/** Why an envelope is not let in. None of them says that it was not let in before. */
export type Refusal = 'repeated' | 'old' | 'ahead' | 'started_since' | 'full';

/**
 * Writes the log: one JSON line per event, to standard output. To keep private data out, a line has no field for a
 * path, query, header, body, secret, caller's address or platform's address.
 */

interface Fields {
  /** The host and port on which the relay listens. */
  readonly address?: string;
  readonly base?: string;
  readonly method?: string;
  readonly outcome?: string;
  readonly reason?: string;
  /** The system's code of an error, such as ECONNREFUSED. */
  readonly error?: string;
  /** The platform's HTTP status. */
  readonly status?: number;
  readonly duration_ms?: number;
  readonly count?: number;
}

export function log(
  event: 'listening' | 'forwarded' | 'refused' | 'certificate' | 'ending',
  fields: Fields = {},
): void {
  process.stdout.write(`${JSON.stringify({at: new Date().toISOString(), event, ...fields})}\n`);
}

const LOG_INTERVAL_MS = 60_000;

/** Counts rejected requests and logs one line per minute and reason, so that attackers cannot fill the log. */
export class RejectionCounter {
  readonly #counts = new Map<string, number>();
  readonly #timer = setInterval(() => this.#write(), LOG_INTERVAL_MS).unref();

  count(reason: string): void {
    this.#counts.set(reason, (this.#counts.get(reason) ?? 0) + 1);
  }

  end(): void {
    clearInterval(this.#timer);
    this.#write();
  }

  #write(): void {
    for (const [reason, count] of this.#counts) log('refused', {reason, count});
    this.#counts.clear();
  }
}

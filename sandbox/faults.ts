/**
 * A way in which one operation fails. With the kind `status`, the sandbox returns an error body with that status of the
 * platform.
 */
export type Fault = {
  /** If true, the sandbox runs the operation before the fault takes effect. */
  readonly after: boolean;
  readonly delayMs: number;
} & (
  | {readonly kind: 'delay' | 'hold' | '500-html' | 'malformed' | 'empty' | 'huge' | 'redirect'}
  | {readonly kind: 'status'; readonly status: string}
);

export interface FaultPlan {
  readonly fault: Fault;
  /** The share of calls that fail, from 0 to 1. */
  readonly rate: number;
  /** The number of calls that fail; undefined if there is no limit. */
  readonly times: number | undefined;
}

type Row = {id: number; fault: string; rate: number; times_left: number | null};

/** The planned faults, and the calls that they hold. */
export class Faults {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS faults (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      path TEXT NOT NULL,
      fault TEXT NOT NULL,
      rate REAL NOT NULL,
      times_left INTEGER
    );
  `;

  /** Calls that are held. They are not stored, because they end with the process. */
  readonly #held = new Set<{readonly path: string; readonly release: () => void}>();

  constructor(private readonly sql: SqlStorage) {}

  plan(path: string, {fault, rate, times}: FaultPlan): void {
    const query = 'INSERT INTO faults (path, fault, rate, times_left) VALUES (?, ?, ?, ?)';
    this.sql.exec(query, path, JSON.stringify(fault), rate, times ?? null);
  }

  /** Deletes the faults of one path, or all faults, and releases the calls that these faults hold. */
  clear(path?: string): void {
    if (path === undefined) this.sql.exec('DELETE FROM faults');
    else this.sql.exec('DELETE FROM faults WHERE path = ?', path);
    for (const call of this.#held) {
      if (path !== undefined && call.path !== path) continue;
      this.#held.delete(call);
      call.release();
    }
  }

  /** Waits until the faults of this path are cleared. */
  async hold(path: string): Promise<void> {
    const {promise, resolve: release} = Promise.withResolvers<void>();
    this.#held.add({path, release});
    await promise;
  }

  /** The path of each call that is held, oldest first. */
  heldPaths(): string[] {
    return Array.from(this.#held, ({path}) => path);
  }

  /** Returns the fault that applies to a call to this path, and counts it as used. Older plans take precedence. */
  takeFault(path: string): Fault | undefined {
    const query = 'SELECT id, fault, rate, times_left FROM faults WHERE path = ? ORDER BY id';
    const plan = this.sql
      .exec<Row>(query, path)
      .toArray()
      .find(({rate}) => Math.random() < rate);
    if (!plan) return undefined;
    if (plan.times_left !== null) this.#setTimesLeft(plan.id, plan.times_left - 1);
    return JSON.parse(plan.fault);
  }

  #setTimesLeft(id: number, timesLeft: number): void {
    if (timesLeft === 0) this.sql.exec('DELETE FROM faults WHERE id = ?', id);
    else this.sql.exec('UPDATE faults SET times_left = ? WHERE id = ?', timesLeft, id);
  }
}

/** The target of a redirect. A client that follows the redirect gets a 404, and its call is in the list of calls. */
const REDIRECT_PATH = '/elsewhere';
const HUGE_CHUNK_BYTES = 64 * 1024;
const HUGE_CHUNKS = 512;

/**
 * Applies a fault to a call. A fault of kind `delay` or `hold` makes the caller wait for the operation's answer. Every
 * other fault replaces this answer: with `after`, the sandbox still runs the operation; without `after`, it does not.
 */
export async function applyFault(
  fault: Fault | undefined,
  {
    hold,
    answer,
    refuse,
  }: {hold: () => Promise<void>; answer: () => Promise<Response>; refuse: (status: string) => Response},
): Promise<Response> {
  if (!fault) return answer();
  const earlierAnswer = fault.after ? await answer() : undefined;
  await scheduler.wait(fault.delayMs);
  if (fault.kind === 'hold') await hold();
  return faultResponse(fault, refuse) ?? earlierAnswer ?? answer();
}

/** Returns the answer that replaces the operation's answer; undefined if the caller only waits. */
function faultResponse(fault: Fault, refuse: (status: string) => Response): Response | undefined {
  switch (fault.kind) {
    case 'delay':
    case 'hold':
      return undefined;
    case '500-html':
      return new Response('<!doctype html><title>500</title><h1>Internal Server Error</h1>', {
        status: 500,
        headers: {'content-type': 'text/html; charset=utf-8'},
      });
    case 'malformed':
      return new Response('{"status":"000","message":"Succ', {headers: {'content-type': 'application/json'}});
    case 'empty':
      return new Response('', {headers: {'content-type': 'application/json'}});
    case 'huge':
      return new Response(hugeBody(), {headers: {'content-type': 'application/json'}});
    case 'redirect':
      // A client that follows a 307 sends method, body and headers to the target, and so discloses all of them.
      return new Response(null, {status: 307, headers: {location: REDIRECT_PATH}});
    case 'status':
      return refuse(fault.status);
  }
}

/** A body of valid JSON with more than 32 MiB, streamed without a content length. */
function hugeBody(): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const chunk = encoder.encode('x'.repeat(HUGE_CHUNK_BYTES));
  let chunksLeft = HUGE_CHUNKS;
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode('{"status":"000","message":"Success","padding":"'));
    },
    pull(controller) {
      if (chunksLeft > 0) {
        chunksLeft -= 1;
        controller.enqueue(chunk);
      } else {
        controller.enqueue(encoder.encode('"}'));
        controller.close();
      }
    },
  });
}

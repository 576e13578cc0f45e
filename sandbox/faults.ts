/** A way in which one operation goes wrong; `status` answers the platform's JSON status. */
export type Fault = {
  /** The operation is carried out first and its answer thrown away. */
  readonly after: boolean;
  readonly delayMs: number;
} & (
  | {readonly kind: 'delay' | '500-html' | 'malformed' | 'empty' | 'huge' | 'redirect'}
  | {readonly kind: 'status'; readonly status: string}
);

export interface FaultPlan {
  readonly fault: Fault;
  /** The share of calls it strikes, 0 to 1. */
  readonly rate: number;
  /** How often it strikes; undefined for ever. */
  readonly times: number | undefined;
}

type Row = {id: number; fault: string; rate: number; times_left: number | null};

/** The faults that wait for calls. */
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

  constructor(private readonly sql: SqlStorage) {}

  plan(path: string, {fault, rate, times}: FaultPlan): void {
    const query = 'INSERT INTO faults (path, fault, rate, times_left) VALUES (?, ?, ?, ?)';
    this.sql.exec(query, path, JSON.stringify(fault), rate, times ?? null);
  }

  /** Forgets the faults of one path, or of all. */
  clear(path?: string): void {
    if (path === undefined) this.sql.exec('DELETE FROM faults');
    else this.sql.exec('DELETE FROM faults WHERE path = ?', path);
  }

  /** The fault that strikes this call, the oldest plan first. */
  takeFault(path: string): Fault | undefined {
    const query = 'SELECT id, fault, rate, times_left FROM faults WHERE path = ? ORDER BY id';
    const struck = this.sql
      .exec<Row>(query, path)
      .toArray()
      .find(({rate}) => Math.random() < rate);
    if (!struck) return undefined;
    if (struck.times_left !== null) this.#useUp(struck.id, struck.times_left - 1);
    return JSON.parse(struck.fault);
  }

  #useUp(id: number, timesLeft: number): void {
    if (timesLeft === 0) this.sql.exec('DELETE FROM faults WHERE id = ?', id);
    else this.sql.exec('UPDATE faults SET times_left = ? WHERE id = ?', timesLeft, id);
  }
}

/** Where a redirect leads. Nothing is there: a client that follows shows in the calls. */
const REDIRECT_PATH = '/elsewhere';
const HUGE_CHUNK_BYTES = 64 * 1024;
const HUGE_CHUNKS = 512;

/**
 * Lets a fault strike a call: before the operation, which then does not happen, or after it, which then has happened
 * although nobody learns its result. A delay only makes the caller wait.
 */
export async function applyFault(
  fault: Fault | undefined,
  {answer, refuse}: {answer: () => Promise<Response>; refuse: (status: string) => Response},
): Promise<Response> {
  if (!fault) return answer();
  const executed = fault.after ? await answer() : undefined;
  await scheduler.wait(fault.delayMs);
  return faultResponse(fault, refuse) ?? executed ?? answer();
}

/** What is answered in the operation's place; undefined where its own answer stands. */
function faultResponse(fault: Fault, refuse: (status: string) => Response): Response | undefined {
  switch (fault.kind) {
    case 'delay':
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
      // 307 keeps method, body and headers: a client that follows gives all of them away.
      return new Response(null, {status: 307, headers: {location: REDIRECT_PATH}});
    case 'status':
      return refuse(fault.status);
  }
}

/** Valid JSON of 32 MiB whose length is not announced. */
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

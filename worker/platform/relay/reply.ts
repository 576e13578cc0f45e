/** What the relay answers: a line of JSON, a line end, and the platform's answer. */

import * as z from 'zod';

/** Why; it goes into the log. */
const Reason = z.string().regex(/^[a-z_]{1,32}$/);

const Answered = z.object({
  v: z.literal(1),
  outcome: z.literal('answered'),
  status: z.int().min(200).max(599),
  headers: z.record(z.string(), z.string()),
});
const Unsent = z.object({
  v: z.literal(1),
  outcome: z.literal('unsent'),
  reason: Reason,
  retry_after_ms: z.int().nonnegative().max(3_600_000),
});
const Unknown = z.object({v: z.literal(1), outcome: z.literal('unknown'), reason: Reason});
const About = z.object({
  v: z.literal(1),
  outcome: z.literal('about'),
  /** The relay's clock, epoch milliseconds. */
  now: z.int(),
  started_at: z.int(),
  /** The addresses that calls leave its host from. */
  sources: z.array(z.string()),
  /** What its operator says the platform sees. */
  address: z.string().nullable(),
});
const Head = z.discriminatedUnion('outcome', [Answered, Unsent, Unknown, About]);

export type About = z.infer<typeof About>;
export type Verdict = {readonly head: z.infer<typeof Head>; readonly body: Uint8Array<ArrayBuffer>};

/** Reads bytes whose signature is good; null where they are of another version. */
export function readVerdict(bytes: Uint8Array<ArrayBuffer>): Verdict | null {
  const lineEnd = bytes.indexOf(0x0a);
  if (lineEnd < 0) return null;
  try {
    const head = Head.safeParse(JSON.parse(new TextDecoder().decode(bytes.subarray(0, lineEnd))));
    return head.success ? {head: head.data, body: bytes.subarray(lineEnd + 1)} : null;
  } catch {
    return null;
  }
}

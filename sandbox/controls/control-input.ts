import type {Context} from '../context.ts';

/** A lever of the sandbox that the platform does not have. */
export interface Control {
  readonly method: 'GET' | 'POST';
  /** Parts in braces stand for any text: `/_sandbox/notices/{code}/approve`. */
  readonly path: string;
  /** What it does, for the front page. */
  readonly summary: string;
  /** Returns what is answered as JSON, or a promise of it. @throws {BadControl} */
  readonly handle: (input: ControlInput, context: Context) => unknown;
}

export interface ControlInput {
  /** Of a POST: the parsed JSON, `{}` where there was none. */
  readonly body: unknown;
  readonly query: URLSearchParams;
  /** What stands in the address for a part in braces. */
  readonly part: (name: string) => string;
}

/** The caller asked for something impossible; the message is a sentence for them. */
export class BadControl extends Error {}

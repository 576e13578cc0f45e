/** Under which name of the page the script tag leaves its `Script`. */
export const SCRIPT_TAG = Symbol.for('vezne');

/**
 * The part of the Worker client that runs before the elements are here: on a slow phone the banks, and what is being bought, are
 * under way while they still load. Only the script tag imports this; `internal/payment-client.ts` picks the answers up.
 */

/** Where the script tag leaves what elements need of it. */
export interface ScriptTag {
  /** Address of the script's Worker, with a slash at the end. */
  readonly api: string;
  /** What was asked ahead, by path and body; whoever takes one leaves nothing. */
  readonly prefetched?: Map<string, PrefetchedRequest>;
}

/** An answer with all its text. */
export interface Reply {
  readonly response: Response;
  readonly text: string;
}

/** A request made ahead: its reply, and the same again once it is here, so that nobody waits for what has come. */
export interface PrefetchedRequest {
  readonly reply: Promise<Reply>;
  received?: Reply;
}

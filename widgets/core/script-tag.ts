/** Under which name of the page the script tag leaves its `ScriptTag`. */
export const SCRIPT_TAG = Symbol.for('vezne');

/** Where the script tag leaves what elements need of it. */
export interface ScriptTag {
  /** Address of the script's Worker, with a slash at the end. */
  readonly api: string;
  /** What was prefetched, by path and body; whoever takes one leaves nothing. */
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

/** What the script tag left on this page; undefined where the page bundles the modules. */
export function scriptTag(): ScriptTag | undefined {
  return (globalThis as {[SCRIPT_TAG]?: ScriptTag})[SCRIPT_TAG];
}

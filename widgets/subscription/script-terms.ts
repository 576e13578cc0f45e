/**
 * The terms that the page script `subscribe.js` contains. A shopper reads these terms before the page has opened a
 * session. The terms of the session may be newer.
 */

import type {SubscriptionTerms} from '../../worker/contract/browser/subscription-answers.ts';
import type {Query} from '../core/query.ts';
import {scriptTagOf} from '../core/script-tag.ts';

/** The terms that an element shows. */
export type ShownTerms = Omit<SubscriptionTerms, 'create_until'>;

/** An element that shows the terms of an offer. */
interface TermsHost {
  readonly address: string;
  readonly offer: string;
  readonly session: string;
  requestUpdate(): void;
}

/** The terms of the page's script, for one element. */
export class ScriptTerms {
  readonly #host: TermsHost;
  #hasBegun = false;
  /** The terms that the shopper has read. They are kept until they are compared with the terms of the session. */
  #read: ShownTerms | undefined;

  constructor(host: TermsHost) {
    this.#host = host;
  }

  /** Whether the element needs a session: the script has no terms for it, or the shopper has begun to fill in the form. */
  get needSession(): boolean {
    return this.#hasBegun || !this.#inScript;
  }

  /** What the shopper reads until the session is open. */
  get shown(): ShownTerms | undefined {
    return this.#read ?? (this.#hasBegun ? undefined : this.#inScript);
  }

  /** Opens the session, because the shopper has begun to fill in the form. */
  begin(): void {
    this.#read ??= this.shown;
    this.#hasBegun = true;
    this.#host.requestUpdate();
  }

  /** Waits for the session. @returns The terms that the shopper has read, if the terms of the session are different. */
  async findOutdated(session: Query<ShownTerms>, signal: AbortSignal): Promise<ShownTerms | undefined> {
    this.begin();
    const read = this.#read;
    const current = await session.wait(signal);
    this.#read = undefined;
    return read && termsText(read) !== termsText(current) ? read : undefined;
  }

  get #inScript(): ShownTerms | undefined {
    const {address, offer, session} = this.#host;
    const terms = session ? undefined : scriptTagOf(address)?.terms;
    return terms?.id === offer ? terms : undefined;
  }
}

/** What the shopper agrees to, as one text. */
function termsText({title, terms, price, period, trial_days}: ShownTerms): string {
  return JSON.stringify([title, terms, price, period, trial_days]);
}

/** What a page does that was opened by a hand-off. Loaded only there. */
import type {HandoffRequest, RedeemedSession, Session} from '../../worker/contract/browser.ts';
import {isSession} from '../internal/payment-answers.ts';
import type {SessionStore} from '../internal/session-store.ts';
import type {PaymentClient} from '../internal/payment-client.ts';

/** What is remembered of a redeemed hand-off: its code, of no more use, tells which it was. */
export interface Redeemed {
  readonly session: Session | RedeemedSession | undefined;
  readonly handoff: string;
}

/**
 * Redeems a hand-off, once for all tabs that were opened with it. Where the browser has no locks, or nowhere to
 * remember, every tab tries for itself, and all but the first are told that it was used.
 */
export async function redeemHandoff(
  asked: HandoffRequest,
  client: PaymentClient,
  store: SessionStore<Redeemed>,
  signal: AbortSignal,
): Promise<RedeemedSession> {
  const {code: handoff} = asked;
  const redeem = async (): Promise<RedeemedSession> => {
    const known = store.read();
    if (known.handoff === handoff && isSession(known.session)) return known.session;
    const session = await client.redeemHandoff(asked, signal);
    store.write({session, handoff});
    return session;
  };
  try {
    return await navigator.locks.request(`vezne ${handoff}`, {signal}, redeem);
  } catch (thrown) {
    // No locks here: a page without TLS has none, and a browser without storage may refuse them.
    if (thrown instanceof TypeError || (thrown instanceof DOMException && thrown.name === 'SecurityError')) return redeem();
    throw thrown;
  }
}

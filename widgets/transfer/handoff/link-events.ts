/** What the shopper decides about a hand-off link. The page loads this file with the question. */

import type {RedeemedSession} from '../../../worker/contract/browser/answers.ts';
import type {Problem} from '../../core/problem.ts';
import {showOrder, type PurchaseFacts} from '../purchase/facts.ts';

export type LinkEvent =
  /** The shopper has declined the link, or it has failed with `problem`. */
  | {readonly is: 'link-closed'; readonly problem?: Problem}
  /** @param isAccepted - Whether the shopper has agreed on this page, and not in another tab. */
  | {readonly is: 'link-opened'; readonly session: RedeemedSession; readonly isAccepted: boolean};

/** What the page knows after an event of a link. */
export function nextOfLink(facts: PurchaseFacts, event: LinkEvent): PurchaseFacts {
  switch (event.is) {
    case 'link-closed':
      return {...facts, link: undefined, linkProblem: event.problem};
    case 'link-opened': {
      const {session, isAccepted} = event;
      const {vezne: handoff, bank = facts.bank} = facts.link ?? {vezne: ''};
      // The shopper's own order stays saved beside the link's order.
      const brought = {...facts.brought, session, handoff, bank, step: 'pay'} as const;
      const acceptedToken = isAccepted ? session.token : facts.acceptedToken;
      return showOrder({...facts, brought, acceptedToken, link: undefined}, 'brought');
    }
  }
}

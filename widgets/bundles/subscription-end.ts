/**
 * A lazy bundle: the cards that end a sign-up or a subscription, and the way to the seller. Loaded while the shopper
 * reads or types.
 */

import {define} from '../core/define.ts';
import {VezneResult} from '../core/vezne-result.ts';

export {askSellerAbout, askSellerOf} from '../subscription/ask-seller.ts';
export {attemptAssurance, cancelledCard, doneCard, refusalCard} from '../subscription/end-cards.ts';

define(VezneResult);

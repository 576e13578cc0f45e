/** A lazy bundle: the cards that end a sign-up. Loaded while the shopper reads or types. */

import {define} from '../core/define.ts';
import {VezneResult} from '../core/vezne-result.ts';

export {assuranceText, doneCard, refusalCard} from '../subscription/end-cards.ts';

define(VezneResult);

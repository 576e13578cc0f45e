/** A lazy bundle: the seller's contacts. Loaded when a text about a subscription first sends the shopper to the seller. */

import {define} from '../core/define.ts';
import {VezneSellerContacts} from '../subscription/vezne-seller-contacts.ts';

define(VezneSellerContacts);

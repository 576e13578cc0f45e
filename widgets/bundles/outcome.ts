/** A lazy bundle: the card that ends a payment. Loaded while the shopper waits for the money. */

import {define} from '../core/define.ts';
import {VeznePaymentOutcome} from '../transfer/payment-status/vezne-payment-outcome.ts';

define(VeznePaymentOutcome);

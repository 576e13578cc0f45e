/** A lazy bundle: the card that ends a payment, and the drawing of the wait. Loaded as soon as the payment is known. */

import {define} from '../core/define.ts';
import {VeznePaymentOutcome} from '../transfer/payment-status/vezne-payment-outcome.ts';

define(VeznePaymentOutcome);

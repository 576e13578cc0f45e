import type {Payment} from '../../../worker/contract/browser/answers.ts';
import {VezneEvent} from '../../core/vezne-event.ts';

/** How the payment stands: once it is known, and on every change. */
export class PaymentEvent extends VezneEvent {
  static readonly type = 'vezne-payment';
  constructor(readonly payment: Payment) {
    super(PaymentEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-payment': PaymentEvent;
  }
}

import type {OrderCode} from '../../../worker/contract/browser/answers.ts';
import {VezneEvent} from '../../core/vezne-event.ts';

/** The order has a code: from now on the shopper can pay. */
export class OrderCodeEvent extends VezneEvent {
  static readonly type = 'vezne-order-code';
  constructor(readonly orderCode: OrderCode) {
    super(OrderCodeEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-order-code': OrderCodeEvent;
  }
}

import type {Bank} from '../../../worker/contract/browser/answers.ts';
import {VezneEvent} from '../../core/vezne-event.ts';

/** The shopper chose the bank to pay from. */
export class BankSelectEvent extends VezneEvent {
  static readonly type = 'vezne-bank-select';
  constructor(readonly bank: Bank) {
    super(BankSelectEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-bank-select': BankSelectEvent;
  }
}

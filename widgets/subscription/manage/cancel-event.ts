import type {Subscription} from '../../../worker/contract/browser/subscription-answers.ts';
import {VezneEvent} from '../../core/vezne-event.ts';

/** The subscription is cancelled. */
export class CancelEvent extends VezneEvent {
  static readonly type = 'vezne-cancel';
  constructor(readonly subscription: Subscription) {
    super(CancelEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-cancel': CancelEvent;
  }
}

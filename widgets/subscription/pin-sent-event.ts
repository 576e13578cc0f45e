import {VezneEvent} from '../core/vezne-element.ts';

/** The shopper has requested a PIN. The platform sends an SMS only if the number can subscribe. */
export class PinSentEvent extends VezneEvent {
  constructor() {
    super('vezne-pin-sent');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-pin-sent': PinSentEvent;
  }
}

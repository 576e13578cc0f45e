import {VezneEvent} from '../core/vezne-element.ts';

/** The shopper has requested a PIN. The platform sends an SMS only if the number can subscribe. */
export class PinSentEvent extends VezneEvent {
  constructor() {
    super('vezne-pin-sent');
  }
}

/** The subscription has started. The first event of the page bubbles. It proves nothing: the merchant's server must check the subscription. */
export class SubscribeEvent extends VezneEvent {
  constructor(
    /** The id that links the steps of one visit. */
    readonly trackingId: string,
    bubbles: boolean,
  ) {
    super('vezne-subscribe', bubbles);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-pin-sent': PinSentEvent;
    'vezne-subscribe': SubscribeEvent;
  }
}

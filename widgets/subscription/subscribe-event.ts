import {VezneEvent} from '../core/vezne-element.ts';

/** The subscription has started. This event proves nothing: the merchant's server must check the subscription. */
export class SubscribeEvent extends VezneEvent {
  constructor(
    /** The id that links the steps of one visit. */
    readonly trackingId: string,
  ) {
    super('vezne-subscribe');
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-subscribe': SubscribeEvent;
  }
}

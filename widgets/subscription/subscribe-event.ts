import {VezneEvent} from '../core/vezne-element.ts';

/** The subscription has started. The page's first event for it bubbles. It proves nothing: the merchant's server must check. */
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
    'vezne-subscribe': SubscribeEvent;
  }
}

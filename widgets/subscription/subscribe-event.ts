import {VezneEvent} from '../core/vezne-event.ts';

/** The subscription began. A courtesy to the page, not a proof: deliver what your server knows. */
export class SubscribeEvent extends VezneEvent {
  static readonly type = 'vezne-subscribe';
  constructor(
    /** Under which id the visit is followed. */
    readonly trackingId: string,
  ) {
    super(SubscribeEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-subscribe': SubscribeEvent;
  }
}

import {VezneEvent} from '../../core/vezne-event.ts';

/** A PIN was asked for: if the number can get one, it is on its way. */
export class PinSentEvent extends VezneEvent {
  static readonly type = 'vezne-pin-sent';
  constructor() {
    super(PinSentEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-pin-sent': PinSentEvent;
  }
}

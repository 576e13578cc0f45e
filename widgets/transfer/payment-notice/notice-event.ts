import {VezneEvent} from '../../core/vezne-event.ts';

/** The shopper told of a transfer whose description had no code. */
export class NoticeEvent extends VezneEvent {
  static readonly type = 'vezne-notice';
  constructor(
    /** The platform's code of the notice. */
    readonly noticeCode: string,
  ) {
    super(NoticeEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-notice': NoticeEvent;
  }
}

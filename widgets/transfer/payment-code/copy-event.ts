import {VezneEvent} from '../../core/vezne-event.ts';

/** What can be copied. */
export type CopyField = 'code' | 'iban' | 'holder' | 'amount';

/** The shopper copied something; `text` is what is on the clipboard now. */
export class CopyEvent extends VezneEvent {
  static readonly type = 'vezne-copy';
  constructor(
    readonly field: CopyField,
    readonly text: string,
  ) {
    super(CopyEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-copy': CopyEvent;
  }
}

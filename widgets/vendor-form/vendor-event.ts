import type {VendorReturn} from '../../worker/contract/browser/answers.ts';
import {VezneEvent} from '../core/vezne-event.ts';

/** The vendor came back from the form. Whether they are registered the platform tells the merchant's server, as `vendor.registered`. */
export class VendorEvent extends VezneEvent {
  static readonly type = 'vezne-vendor';
  constructor(readonly outcome: VendorReturn['outcome']) {
    super(VendorEvent.type);
  }
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-vendor': VendorEvent;
  }
}

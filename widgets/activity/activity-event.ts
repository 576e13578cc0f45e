import type {ActivityType} from '../../worker/contract/browser/requests.ts';

/** Something was counted. No class: the script that counts is weighed to the byte. */
export interface ActivityEvent extends Event {
  readonly type: 'vezne-activity';
  readonly activity: ActivityType;
  /** Under which id the visit is followed. */
  readonly trackingId: string;
}

declare global {
  interface GlobalEventHandlersEventMap {
    'vezne-activity': ActivityEvent;
  }
}

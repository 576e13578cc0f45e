import type {Context} from '../context.ts';
import type {Notification} from '../notifications/notifications--notifications.ts';
import type {ControlInput} from './control-input.ts';

/** GET /_sandbox/notifications */
export function listNotifications(_input: ControlInput, {notifications}: Context) {
  return {notifications: notifications.all().map(toShown)};
}

function toShown({httpStatus, ...shown}: Notification) {
  return {...shown, http_status: httpStatus};
}

import type {Config} from '../../config/config.ts';
import type {NotificationName} from '../../config/notifications.ts';
import {ApiError} from '../../http/errors.ts';

/** @throws {ApiError} `not_found` where this notification is not among `NOTIFICATIONS`. */
export function requireHook(name: NotificationName, {notifications}: Config): void {
  if (!notifications.has(name)) throw new ApiError('not_found');
}

import {ApiError} from '../../api-error.ts';
import type {Config} from '../../config.ts';
import type {NotificationName} from '../../notification-config.ts';

/** @throws {ApiError} `not_found` where this notification is not among `NOTIFICATIONS`. */
export function requireHook(name: NotificationName, {notifications}: Config): void {
  if (!notifications.has(name)) throw new ApiError('not_found');
}

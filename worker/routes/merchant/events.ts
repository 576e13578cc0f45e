/** The merchant's events: the feed, and the dead ones. */

import {ApiError} from '../../http/errors.ts';
import {SearchCursor} from './cursor.ts';
import type {Handlers} from './handler.ts';

export const eventHandlers: Handlers<'listEvents' | 'listDeadEvents' | 'resendEvent'> = {
  async listEvents({after: cursor}, {objects}) {
    const cursors = await SearchCursor.parse({cursor}, 'events', 'after');
    const {items, position, more} = await objects.outbox().read(cursors.position ?? 0);
    return {items, next_cursor: position === 0 ? null : cursors.encode(position), more};
  },

  async listDeadEvents({after: cursor}, {objects}) {
    const cursors = await SearchCursor.parse({cursor}, 'events/dead', 'after');
    const {items, position, more, total} = await objects.outbox().readDead(cursors.position ?? 0);
    return {items, next_cursor: more ? cursors.encode(position) : null, total};
  },

  async resendEvent({id}, {config, objects}) {
    if (!config.webhook) throw new ApiError('not_configured');
    if (!(await objects.outbox().resend(id))) throw new ApiError('not_found');
    return {id, state: 'waiting'};
  },
};

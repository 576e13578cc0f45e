/** The merchant's events: the feed, the events whose delivery failed for good ("dead"), and resending them. */

import {ApiError} from '../../../http/errors.ts';
import {SearchCursor} from '../cursor.ts';
import type {Handlers} from '../handler.ts';

export const eventHandlers: Handlers<'listEvents' | 'listDeadEvents' | 'resendEvent'> = {
  async listEvents({after}, {objects}) {
    const cursor = await SearchCursor.parse({cursor: after}, 'events', 'after');
    const {items, position, more} = await objects.outbox().read(cursor.position ?? 0);
    return {items, next_cursor: position === 0 ? null : cursor.encode(position), more};
  },

  async listDeadEvents({after}, {objects}) {
    const cursor = await SearchCursor.parse({cursor: after}, 'events/dead', 'after');
    const {items, position, more, total} = await objects.outbox().readDead(cursor.position ?? 0);
    return {items, next_cursor: more ? cursor.encode(position) : null, total};
  },

  async resendEvent({id, webhook}, {objects}) {
    const state = await objects.outbox().resend(id, webhook ?? null);
    if (state === 'not_found') throw new ApiError('not_found');
    if (state === 'no_webhook') throw new ApiError('not_configured');
    return {id, state};
  },
};

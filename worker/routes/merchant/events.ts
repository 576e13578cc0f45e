/** The merchant's list of events, single events, resent events, and "dead" events, whose delivery failed for good. */

import {ApiError} from '../../http/errors.ts';
import {orderSubject} from '../../objects/events/event.ts';
import {readCursor} from './cursor.ts';
import type {Handlers} from './handler.ts';

export const eventHandlers = {
  async listEvents({cursor: given, from, service, order, type}, context) {
    const {objects, caller} = context;
    const cursor = await readCursor<number>({cursor: given, service, order, type}, 'events', context);
    if (from === 'now')
      return {items: [], next_cursor: await cursor.next((await objects.outbox().end()) || null), more: false};
    const subject = service === undefined || order === undefined ? null : orderSubject(service, order);
    const {items, position, more} = await objects
      .outbox()
      .read(cursor.start ?? 0, {subject, type: type ?? null, limit: caller.services});
    return {items, next_cursor: await cursor.next(position || null), more};
  },

  async listDeadEvents(input, context) {
    const cursor = await readCursor<number>(input, 'events/dead', context);
    const {objects, caller} = context;
    const {items, position, more, total} = await objects.outbox().readDead(cursor.start ?? 0, caller.services);
    return {items, next_cursor: await cursor.next(more ? position : null), total};
  },

  // This handler comes after `listDeadEvents`, because the router uses the first path that fits.
  async getEvent({id}, {objects}) {
    const event = await objects.outbox().find(id);
    if (!event) throw new ApiError('not_found');
    return event;
  },

  async resendEvent({id, webhook}, {objects, caller}) {
    const state = await objects.outbox().resend(id, webhook ?? null, caller.services);
    if (state !== 'waiting') throw new ApiError(state);
    return {id, state};
  },
} satisfies Partial<Handlers>;

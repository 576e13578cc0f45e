import type {Notifications} from '../records/notifications.ts';
import {deliver, type Message} from './deliver.ts';

/** Notifications that something brought about; they go out when its request has been answered. */
export class Outgoing {
  #waiting: (() => Message | Promise<Message>)[] = [];

  add(make: () => Message | Promise<Message>): void {
    this.#waiting.push(make);
  }

  /** What waits, which then waits no more. */
  take(): readonly (() => Message | Promise<Message>)[] {
    const taken = this.#waiting;
    this.#waiting = [];
    return taken;
  }
}

/** Sends what waits, one after the other, each once. */
export async function sendOutgoing(context: {
  readonly outgoing: Outgoing;
  readonly notifications: Notifications;
}): Promise<void> {
  for (const make of context.outgoing.take()) await deliver(await make(), context);
}

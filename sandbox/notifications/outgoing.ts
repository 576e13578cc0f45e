import type {Notifications} from './notifications--notifications.ts';
import {deliver, type Message} from './notifications.ts';

/** Notifications that something brought about; they go out when its request has been answered. */
export class Outgoing {
  #queued: (() => Message | Promise<Message>)[] = [];

  enqueue(make: () => Message | Promise<Message>): void {
    this.#queued.push(make);
  }

  /** What waits, which then waits no more. */
  takeAll(): readonly (() => Message | Promise<Message>)[] {
    const taken = this.#queued;
    this.#queued = [];
    return taken;
  }
}

/** Sends what waits, one after the other, each once. */
export async function sendOutgoing({
  notificationQueue,
  notifications,
}: {
  readonly notificationQueue: Outgoing;
  readonly notifications: Notifications;
}): Promise<void> {
  for (const make of notificationQueue.takeAll()) await deliver(await make(), notifications);
}

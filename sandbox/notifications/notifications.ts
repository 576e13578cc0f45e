/** Queues, sends and records the notifications to the merchant. */

import type {Clock} from '../records/clock.ts';

/** Collects the notifications that a request causes. The sandbox sends them after it has answered the request. */
export class NotificationQueue {
  #queued: (() => OutgoingNotification | Promise<OutgoingNotification>)[] = [];

  enqueue(make: () => OutgoingNotification | Promise<OutgoingNotification>): void {
    this.#queued.push(make);
  }

  /** Removes all queued notifications and returns them. */
  takeAll(): readonly (() => OutgoingNotification | Promise<OutgoingNotification>)[] {
    const taken = this.#queued;
    this.#queued = [];
    return taken;
  }
}

/** Sends the queued notifications one after the other, each once. */
export async function sendQueuedNotifications({
  notificationQueue,
  notifications,
}: {
  readonly notificationQueue: NotificationQueue;
  readonly notifications: Notifications;
}): Promise<void> {
  for (const make of notificationQueue.takeAll()) await deliverNotification(await make(), notifications);
}

const TIMEOUT_MS = 10_000;
const SHOWN_ANSWER_LENGTH = 200;

export interface OutgoingNotification {
  readonly kind: NotificationKind;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The JSON of a POST as it is sent, or the parameters of a GET. */
  readonly content: unknown;
}

export interface DeliveryResult {
  /** Null if no answer arrived. */
  readonly httpStatus: number | null;
  readonly answer: string;
}

/** Sends a notification once and records the result. It does not follow redirects and never throws. */
export async function deliverNotification(
  message: OutgoingNotification,
  notifications: Notifications,
): Promise<DeliveryResult> {
  const delivery = await send(message);
  notifications.record({...message, ...delivery});
  return delivery;
}

async function send({method, url, content}: OutgoingNotification): Promise<DeliveryResult> {
  // AbortSignal.timeout is not used because its timer outlives the call and keeps the Durable Object awake.
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(new Error('no answer in ten seconds')), TIMEOUT_MS);
  const post = {method, headers: {'content-type': 'application/json'}, body: JSON.stringify(content)};
  try {
    const response = await fetch(url, {
      ...(method === 'POST' ? post : {}),
      redirect: 'manual',
      signal: timeout.signal,
    });
    return {httpStatus: response.status, answer: (await response.text()).slice(0, SHOWN_ANSWER_LENGTH)};
  } catch (error) {
    return {httpStatus: null, answer: error instanceof Error ? error.message : String(error)};
  } finally {
    clearTimeout(timer);
  }
}

/** Adds parameters to a URL and keeps its existing parameters. */
export function addParameters(address: string, parameters: Readonly<Record<string, unknown>>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.append(name, String(value ?? ''));
  return url.href;
}

/** A notification that the platform sent to the merchant, with the merchant's answer. */
export interface Notification {
  readonly kind: NotificationKind;
  readonly method: 'GET' | 'POST';
  readonly url: string;
  /** The JSON of a POST, or the parameters of a GET. */
  readonly content: unknown;
  readonly at: string;
  /** Null if no answer arrived. */
  readonly httpStatus: number | null;
  /** The beginning of the answer, or the reason why no answer arrived. */
  readonly answer: string;
}

export type NotificationKind = 'refund' | 'payment' | 'billing' | 'subscription';

type Row = {
  kind: NotificationKind;
  method: 'GET' | 'POST';
  url: string;
  content: string;
  at: string;
  http_status: number | null;
  answer: string;
};

export class Notifications {
  static readonly schema = `
    CREATE TABLE IF NOT EXISTS notifications (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      kind TEXT NOT NULL,
      method TEXT NOT NULL,
      url TEXT NOT NULL,
      content TEXT NOT NULL,
      at TEXT NOT NULL,
      http_status INTEGER,
      answer TEXT NOT NULL
    );
  `;

  constructor(
    private readonly sql: SqlStorage,
    private readonly clock: Clock,
  ) {}

  record({kind, method, url, content, httpStatus, answer}: Omit<Notification, 'at'>): void {
    this.sql.exec(
      'INSERT INTO notifications (kind, method, url, content, at, http_status, answer) VALUES (?, ?, ?, ?, ?, ?, ?)',
      kind,
      method,
      url,
      JSON.stringify(content),
      this.clock.now(),
      httpStatus,
      answer,
    );
  }

  /** Returns all notifications, newest last. */
  all(): Notification[] {
    const rows = this.sql.exec<Row>('SELECT * FROM notifications ORDER BY id').toArray();
    return rows.map(({kind, method, url, content, at, http_status, answer}) => {
      return {kind, method, url, content: JSON.parse(content), at, httpStatus: http_status, answer};
    });
  }
}

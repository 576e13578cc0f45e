/** The sockets of an order's open pages. They stay open while the object sleeps. */

import type {Payment} from '../../contract/browser/answers.ts';
import {MINUTE_MS} from '../../lib/durations.ts';
import type {OrderTerms} from '../../session.ts';
import {type CounterRule, type StoredCounter, waitMs, withOneMore} from '../limits/counter.ts';
import {shownTo} from './bill.ts';

/** What the Worker sends the order about a page that opens a socket. */
export interface SocketOpening {
  readonly terms: OrderTerms;
  /** When the page's session ends, epoch milliseconds. */
  readonly readUntil: number;
}

/**
 * The header in which the Worker sends a `SocketOpening` to the object, as JSON. The JSON is percent-encoded, because a
 * reference may contain any character.
 */
export const SOCKET_OPENING_HEADER = 'x-vezne-socket-opening';

export function readSocketOpening(request: Request): SocketOpening {
  return JSON.parse(decodeURIComponent(request.headers.get(SOCKET_OPENING_HEADER) ?? '')) as SocketOpening;
}

/** A shopper has a few tabs and devices. */
const MAX_OPEN = 20;
/**
 * Each opened socket causes a write of the alarm and a report to the sweep. The count is only in memory, because storing
 * it would cost as much as opening a socket.
 */
const OPENINGS: CounterRule = {windowMs: MINUTE_MS, limit: 30};

/** Close code of a socket whose session has ended, derived from HTTP's 401. */
const SESSION_ENDED = 4401;

/** Data that stays with a socket while the object sleeps. */
interface Attachment {
  /** A number that increases with every socket of the order. */
  readonly number: number;
  /** When the page's session ends and the socket is closed, epoch milliseconds. */
  readonly until: number;
  /** Set if the page has a bill's link. */
  readonly shared?: true | undefined;
  /** Fingerprint of the last payment that was sent; null before the first payment was sent. */
  readonly shown: string | null;
}

export class OrderSockets {
  #openings: StoredCounter = {windowMs: OPENINGS.windowMs, parts: []};

  constructor(private readonly ctx: DurableObjectState) {
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair('ping', 'pong'));
  }

  /**
   * Opens a socket and returns the page's end of the socket, or null after too many openings. If too many sockets are
   * open, the oldest socket is closed.
   */
  open({terms: {shared}, readUntil: until}: SocketOpening, now: number): WebSocket | null {
    if (waitMs(this.#openings, OPENINGS, now) > 0) return null;
    this.#openings = withOneMore(this.#openings, OPENINGS, now);
    const {0: client, 1: server} = new WebSocketPair();
    const open = this.#open().toSorted((a, b) => attachmentOf(a).number - attachmentOf(b).number);
    if (open.length >= MAX_OPEN) open[0]?.close(1013, 'too many pages');
    this.ctx.acceptWebSocket(server);
    attach(server, {number: attachmentOf(open.at(-1)).number + 1, until, shared, shown: null});
    return client;
  }

  count(): number {
    return this.#open().length;
  }

  countWithout(closing: WebSocket): number {
    return this.#open().filter((socket) => socket !== closing).length;
  }

  /** Sends the payment to every page that does not have it yet, as the page may see it. */
  notify(payment: Payment): void {
    for (const socket of this.#open()) this.#send(socket, shownTo(attachmentOf(socket), payment));
  }

  /** The earliest time at which an open page's session ends; null when no page is open. */
  nextSessionEnd(): number | null {
    const ends = this.#open().map((socket) => attachmentOf(socket).until);
    return ends.length > 0 ? Math.min(...ends) : null;
  }

  /** Closes the sockets of pages whose session has ended, because these pages may no longer read the payment. */
  closeExpired(now: number): void {
    for (const socket of this.#open())
      if (attachmentOf(socket).until <= now) socket.close(SESSION_ENDED, 'session ended');
  }

  closeAll(): void {
    for (const socket of this.#open()) socket.close(1000, 'order closed');
  }

  /** Without sockets that are closing, which the runtime lists until the page has answered. */
  #open(): WebSocket[] {
    return this.ctx.getWebSockets().filter(({readyState}) => readyState === WebSocket.OPEN);
  }

  #send(socket: WebSocket, payment: Payment): void {
    const shown = fingerprint(payment);
    const attachment = attachmentOf(socket);
    if (attachment.shown === shown) return;
    try {
      socket.send(JSON.stringify(payment));
      attach(socket, {...attachment, shown});
    } catch {
      // The page has just left; its close event will follow.
    }
  }
}

function attach(socket: WebSocket, attachment: Attachment): void {
  socket.serializeAttachment(attachment);
}

function attachmentOf(socket: WebSocket | undefined): Attachment {
  return (socket?.deserializeAttachment() as Attachment | null | undefined) ?? {number: 0, until: 0, shown: null};
}

/**
 * Text that changes whenever the page must show something new. Without what never changes, the text is short enough for a
 * socket's attachment.
 */
function fingerprint({
  as_of: _asOf,
  revision: _revision,
  title: _title,
  seller: _seller,
  transactions,
  ...shown
}: Payment): string {
  return JSON.stringify([shown, transactions.length]);
}

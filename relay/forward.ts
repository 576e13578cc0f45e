/**
 * One attempt at the platform: a connection of its own, one request on it, and nothing again. Nothing of the request is
 * written before the connection stands, so that what failed before then was certainly not sent.
 */

import {createSocket} from 'node:dgram';
import {lookup} from 'node:dns/promises';
import {once} from 'node:events';
import {request as askOver, type ClientRequest, type IncomingMessage} from 'node:http';
import {connect as connectPlain, isIP, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';

export interface ForwardRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly deadlineMs: number;
  /** Takes the bytes of an answer as they come; false where they are too many. */
  readonly acceptBytes: (bytes: number) => boolean;
  /** The address of this host to leave from; null where the system may choose. */
  readonly sourceAddress: string | null;
  /** Ends the attempt: whoever asked is gone. */
  readonly callerGone: AbortSignal;
}

export type UnsentReason = 'unreachable' | 'deadline' | 'gone';
export type UnknownReason = 'connection' | 'deadline' | 'gone' | 'too_large';

export type ForwardResult =
  | {
      readonly outcome: 'answered';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: Buffer;
    }
  /** No byte of the request left this host. `code` is the system's or OpenSSL's word for why, for the log. */
  | {readonly outcome: 'unsent'; readonly reason: UnsentReason; readonly code?: string}
  /** The request, or part of it, left; how it ended is not known. */
  | {readonly outcome: 'unknown'; readonly reason: UnknownReason};

/** What of an answer's head the Worker reads. Where a redirect leads is not among it. */
const REPLY_HEADERS = ['content-type', 'date', 'retry-after'];

export async function forward(forwarding: ForwardRequest): Promise<ForwardResult> {
  const end = new AbortController();
  const timer = setTimeout(() => end.abort('deadline'), forwarding.deadlineMs);
  const onGone = () => end.abort('gone');
  forwarding.callerGone.addEventListener('abort', onGone);
  if (forwarding.callerGone.aborted) onGone();
  try {
    const connected = await connect(forwarding, end.signal);
    if (typeof connected === 'string')
      return {outcome: 'unsent', reason: abortReason(end.signal) ?? 'unreachable', code: connected};
    return await sendRequest(connected, forwarding, end.signal);
  } finally {
    clearTimeout(timer);
    forwarding.callerGone.removeEventListener('abort', onGone);
  }
}

function abortReason({aborted, reason}: AbortSignal): 'deadline' | 'gone' | null {
  return aborted ? (reason as 'deadline' | 'gone') : null;
}

/** A connection that stands, over TLS one whose certificate is good; else the code of what was in the way. */
function connect({url, sourceAddress}: ForwardRequest, end: AbortSignal): Promise<Socket | string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  // From an IPv4 address only IPv4 can be reached, and the other way round.
  const leaving = sourceAddress === null ? {} : {localAddress: sourceAddress, family: isIP(sourceAddress)};
  const socket = secure
    ? connectTls({
        host,
        port,
        ...leaving,
        ...(isIP(host) === 0 && {servername: host}),
        ALPNProtocols: ['http/1.1'],
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
      })
    : connectPlain({host, port, ...leaving});
  return new Promise((resolve) => {
    const give = (result: Socket | string) => {
      end.removeEventListener('abort', giveUp);
      resolve(result);
      if (typeof result === 'string') socket.destroy();
    };
    const giveUp = () => give('ABORTED');
    // What happens to it later is the request's to hear; this listener stays, so that an error in between ends nobody.
    socket.on('error', ({code}: NodeJS.ErrnoException) => give(code ?? 'UNKNOWN'));
    socket.once('close', giveUp);
    socket.once(secure ? 'secureConnect' : 'connect', () => give(socket));
    end.addEventListener('abort', giveUp);
    if (end.aborted) giveUp();
  });
}

function sendRequest(
  socket: Socket,
  {url, method, headers, body, acceptBytes}: ForwardRequest,
  end: AbortSignal,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    const settle = (forwarded: ForwardResult) => {
      end.removeEventListener('abort', giveUp);
      resolve(forwarded);
      socket.destroy();
    };
    const lose = (reason: UnknownReason) => settle({outcome: 'unknown', reason});
    const giveUp = () => lose(abortReason(end) ?? 'connection');
    const asked: ClientRequest = askOver({
      // Without an agent nothing is kept and nothing is repeated; Node then says `Connection: close` by itself.
      createConnection: () => socket,
      method,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        host: url.host,
        'accept-encoding': 'identity',
        ...(method === 'POST' && {'content-length': body.length}),
      },
    });
    // Once there is an answer, reading it says how it ended.
    const giveUpUnanswered = () => asked.listenerCount('response') > 0 && giveUp();
    for (const event of ['error', 'close', 'upgrade']) asked.on(event, giveUpUnanswered);
    asked.once('response', async (answer) => {
      const result = await readReply(answer, acceptBytes);
      if (typeof result === 'string') lose(abortReason(end) ?? result);
      else settle(result);
    });
    end.addEventListener('abort', giveUp);
    if (end.aborted) giveUp();
    else asked.end(body.length > 0 ? body : undefined);
  });
}

async function readReply(
  answer: IncomingMessage,
  takes: ForwardRequest['acceptBytes'],
): Promise<ForwardResult | 'connection' | 'too_large'> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (!takes(chunk.length)) return 'too_large';
      chunks.push(chunk);
    }
  } catch {
    return 'connection';
  }
  if (!answer.complete) return 'connection';
  const headers = Object.fromEntries(
    REPLY_HEADERS.flatMap((name) => (typeof answer.headers[name] === 'string' ? [[name, answer.headers[name]]] : [])),
  );
  return {outcome: 'answered', status: answer.statusCode ?? 0, headers, body: Buffer.concat(chunks)};
}

/** Where an envelope may lead: below one of the platform's base addresses, with headers that have a reason to go there. */

/** The address of a path below a base; null where it would lead out of it, or a server might read it otherwise than we. */
export function resolvePath(base: URL, path: string): URL | null {
  if (!/^[/?][^#]*$/.test(path)) return null;
  const text = base.href.replace(/\/$/, '') + path;
  if (!URL.canParse(text)) return null;
  const address = new URL(text);
  // Whatever a parser would mend, such as `/../`, is nothing the Worker sends.
  return address.href === text && !/\/\/|%2f|%5c|%00/i.test(address.pathname) ? address : null;
}

/** Which addresses of this host the system sends from. Nothing is sent to find out: a datagram socket is only pointed somewhere. */

/** The addresses that calls to these hosts may leave from, each once. A host with IPv4 and IPv6 may be reached by either. */
export async function sourceAddressesFor(urls: Iterable<URL>): Promise<string[]> {
  const hosts = new Set([...urls].map(({hostname}) => hostname.replace(/^\[|\]$/g, '')));
  const targets = (await Promise.all([...hosts].map((host) => lookup(host, {all: true}).catch(() => [])))).flat();
  const found = await Promise.all(
    targets.map(({address, family}) => sourceAddressFor(address, family).catch(() => null)),
  );
  return [...new Set(found.filter((source) => source !== null))].sort();
}

async function sourceAddressFor(address: string, family: number): Promise<string> {
  const socket = createSocket(family === 6 ? 'udp6' : 'udp4');
  try {
    socket.connect(443, address);
    await once(socket, 'connect');
    return socket.address().address;
  } finally {
    socket.close();
  }
}

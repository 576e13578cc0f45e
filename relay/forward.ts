/**
 * Makes one attempt at a call to the platform: one new connection, one request, no retry. The request is written only
 * after the connection is established. So if the connection fails, the request was certainly not sent.
 */

import {createSocket} from 'node:dgram';
import {lookup} from 'node:dns/promises';
import {once} from 'node:events';
import {request as httpRequest, type ClientRequest, type IncomingMessage} from 'node:http';
import {connect as connectPlain, isIP, type Socket} from 'node:net';
import {connect as connectTls} from 'node:tls';

export interface ForwardRequest {
  readonly url: URL;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly deadlineMs: number;
  /** Called with the number of bytes of each part of the answer. Returns false if the answer is too long. */
  readonly acceptBytes: (bytes: number) => boolean;
  /** The address of this host to send from; null if the system may choose it. */
  readonly sourceAddress: string | null;
  /** Aborts the attempt when the caller has disconnected. */
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
  /** No byte of the request left this host. `code` is the error code of the system or of OpenSSL, for the log. */
  | {readonly outcome: 'unsent'; readonly reason: UnsentReason; readonly code?: string}
  /** The request, or part of it, left this host. The outcome is unknown. */
  | {readonly outcome: 'unknown'; readonly reason: UnknownReason};

/**
 * Headers that the Worker reads from an answer. `location` is not one of them: the Worker does not follow redirects.
 */
const REPLY_HEADERS = ['content-type', 'date', 'retry-after'];

export async function forward(request: ForwardRequest): Promise<ForwardResult> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort('deadline'), request.deadlineMs);
  const onGone = () => abort.abort('gone');
  request.callerGone.addEventListener('abort', onGone);
  if (request.callerGone.aborted) onGone();
  try {
    const connected = await connect(request, abort.signal);
    if (typeof connected === 'string')
      return {outcome: 'unsent', reason: abortReason(abort.signal) ?? 'unreachable', code: connected};
    return await sendRequest(connected, request, abort.signal);
  } finally {
    clearTimeout(timer);
    request.callerGone.removeEventListener('abort', onGone);
  }
}

function abortReason({aborted, reason}: AbortSignal): 'deadline' | 'gone' | null {
  return aborted ? (reason as 'deadline' | 'gone') : null;
}

/**
 * Connects to the platform. Returns the socket, or an error code if the connection fails. With TLS, an invalid
 * certificate is a failure.
 */
function connect({url, sourceAddress}: ForwardRequest, signal: AbortSignal): Promise<Socket | string> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const secure = url.protocol === 'https:';
  const port = Number(url.port || (secure ? 443 : 80));
  // An IPv4 source address can reach only IPv4 targets, and an IPv6 source address only IPv6 targets.
  const source = sourceAddress === null ? {} : {localAddress: sourceAddress, family: isIP(sourceAddress)};
  const socket = secure
    ? connectTls({
        host,
        port,
        ...source,
        ...(isIP(host) === 0 && {servername: host}),
        ALPNProtocols: ['http/1.1'],
        minVersion: 'TLSv1.2',
        rejectUnauthorized: true,
      })
    : connectPlain({host, port, ...source});
  return new Promise((resolve) => {
    const settle = (result: Socket | string) => {
      signal.removeEventListener('abort', onAbort);
      resolve(result);
      if (typeof result === 'string') socket.destroy();
    };
    const onAbort = () => settle('ABORTED');
    // This listener stays on the socket. Without a listener, an error would end the process; the request adds its own
    // listener only later.
    socket.on('error', ({code}: NodeJS.ErrnoException) => settle(code ?? 'UNKNOWN'));
    socket.once('close', onAbort);
    socket.once(secure ? 'secureConnect' : 'connect', () => settle(socket));
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
  });
}

function sendRequest(
  socket: Socket,
  {url, method, headers, body, acceptBytes}: ForwardRequest,
  signal: AbortSignal,
): Promise<ForwardResult> {
  return new Promise((resolve) => {
    const settle = (result: ForwardResult) => {
      signal.removeEventListener('abort', onAbort);
      resolve(result);
      socket.destroy();
    };
    const settleUnknown = (reason: UnknownReason) => settle({outcome: 'unknown', reason});
    const onAbort = () => settleUnknown(abortReason(signal) ?? 'connection');
    const request: ClientRequest = httpRequest({
      // Without an agent, Node does not reuse the connection or repeat the request, and it sends `Connection: close`.
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
    // After the answer has begun, `readReply` determines the outcome, not this listener.
    const onEndBeforeReply = () => request.listenerCount('response') > 0 && onAbort();
    for (const event of ['error', 'close', 'upgrade']) request.on(event, onEndBeforeReply);
    request.once('response', async (answer) => {
      const result = await readReply(answer, acceptBytes);
      if (typeof result === 'string') settleUnknown(abortReason(signal) ?? result);
      else settle(result);
    });
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    else request.end(body.length > 0 ? body : undefined);
  });
}

async function readReply(
  answer: IncomingMessage,
  acceptBytes: ForwardRequest['acceptBytes'],
): Promise<ForwardResult | 'connection' | 'too_large'> {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      if (!acceptBytes(chunk.length)) return 'too_large';
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

/**
 * Returns the URL of a path below a base URL. Returns null if the path leaves the base URL, or if a server may read the
 * path differently from the relay.
 */
export function resolvePath(base: URL, path: string): URL | null {
  if (!/^[/?][^#]*$/.test(path)) return null;
  const text = base.href.replace(/\/$/, '') + path;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  // The Worker never sends a path that a URL parser would change, such as `/../` or an empty query.
  return url.origin + url.pathname + url.search === text && !/\/\/|%2f|%5c|%00/i.test(url.pathname) ? url : null;
}

/**
 * Lists the addresses of this machine from which the system may send calls to the hosts of these URLs. If a host has
 * IPv4 and IPv6 addresses, the system may use either. To find an address, the relay connects a datagram socket, which
 * sends nothing.
 */
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

/** The relay's server: HTTP, or HTTPS with its own certificate files, with strict limits. */

import {readFileSync} from 'node:fs';
import {
  createServer as createPlain,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import {createServer as createSecure, Server as SecureServer} from 'node:https';
import type {Config} from './config.ts';
import {log, RejectionCounter} from './log.ts';
import {MAX_ENVELOPE_BYTES, SIGNATURE_HEADER} from './protocol.ts';
import type {RequestRejection, Relay, SignedReply} from './relay.ts';

const LIMITS: ServerOptions = {
  // The Worker sends its headers, and the whole request, in less time than this.
  headersTimeout: 4_000,
  requestTimeout: 6_000,
  // Most TLS terminators close an idle connection earlier. Apache does so only if it is told to: docs/fixed-address.md.
  keepAliveTimeout: 150_000,
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 8_192,
};
const MAX_CONNECTIONS = 512;

const STATUSES: Readonly<Record<RequestRejection, number>> = {signature: 401, malformed: 400};

export function serve(relay: Relay, {tls}: Pick<Config, 'tls'>): Server | SecureServer {
  const rejections = new RejectionCounter();
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    handleRequest(relay, rejections, request, response).catch(() => response.destroy());
  };
  const server = tls
    ? createSecure({...LIMITS, ...credentials(tls), minVersion: 'TLSv1.2', handshakeTimeout: 5_000}, onRequest)
    : createPlain(LIMITS, onRequest);
  server.maxConnections = MAX_CONNECTIONS;
  server.on('close', () => rejections.end());
  return server;
}

/** Reads a renewed certificate. If it is invalid, the server keeps the old certificate. */
export function reloadCertificate(server: Server | SecureServer, {tls}: Pick<Config, 'tls'>): void {
  if (!tls || !(server instanceof SecureServer)) return;
  try {
    server.setSecureContext(credentials(tls));
    log('certificate', {outcome: 'renewed'});
  } catch (error) {
    log('certificate', {outcome: 'kept', error: (error as NodeJS.ErrnoException).code ?? 'unreadable'});
  }
}

function credentials({certificateFile, keyFile}: NonNullable<Config['tls']>) {
  return {cert: readFileSync(certificateFile), key: readFileSync(keyFile)};
}

async function handleRequest(
  relay: Relay,
  rejections: RejectionCounter,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const {method, url} = request;
  if (url === '/health' && (method === 'GET' || method === 'HEAD')) return sendJson(response, 200, {status: 'ok'});
  const purpose = method === 'POST' && (url === '/v1/forward' || url === '/v1/about') ? url : null;
  if (!purpose) return sendJson(response, 404, {error: 'not_found'});
  const bytes = await readBody(request);
  if (!bytes) {
    rejections.count('too_large');
    // Do not wait for the rest of the request body.
    response.once('finish', () => request.destroy());
    return sendJson(response, 413, {error: 'too_large'});
  }
  const signatures = String(request.headers[SIGNATURE_HEADER] ?? '');
  const callerGone = new AbortController();
  response.once('close', () => callerGone.abort());
  const reply =
    purpose === '/v1/about'
      ? await relay.info(bytes, signatures)
      : await relay.forward(bytes, signatures, callerGone.signal);
  if (typeof reply === 'string') {
    rejections.count(reply);
    return sendJson(response, STATUSES[reply], {error: reply});
  }
  sendReply(response, reply);
}

/** Returns the whole body, or null if it is longer than an envelope may be. */
async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_ENVELOPE_BYTES) return null;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > MAX_ENVELOPE_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function sendReply(response: ServerResponse, {bytes, signature}: SignedReply): void {
  // No proxy may compress or cache the reply, because the signature covers exactly these bytes.
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': bytes.length,
    'cache-control': 'no-store, no-transform',
    [SIGNATURE_HEADER]: signature,
  };
  response.writeHead(200, headers).end(bytes);
}

/** Sends an unsigned JSON answer and closes the connection. */
function sendJson(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(text),
      'cache-control': 'no-store',
      connection: 'close',
    })
    .end(text);
}

/** The relay's configuration, from its environment. What is wrong is said in one line that names variables and never values. */

import {readFileSync} from 'node:fs';
import {isIP} from 'node:net';
import {createSecureContext} from 'node:tls';
import {type InterfaceId, deriveKey, type Key} from './protocol.ts';

export interface Config {
  /** The current one first. */
  readonly keys: readonly Key[];
  readonly baseUrls: ReadonlyMap<InterfaceId, URL>;
  readonly listen: {readonly host: string; readonly port: number};
  /** Files with a certificate and its key; null where something in front speaks TLS. */
  readonly tls: {readonly certificateFile: string; readonly keyFile: string} | null;
  /** The address of this host that calls leave from; null where the system chooses. */
  readonly sourceAddress: string | null;
  /** What the platform sees, where this host cannot know it. */
  readonly publicAddress: string | null;
  /** Names of the headers that may go to the platform. */
  readonly headers: ReadonlySet<string>;
  /** Calls at the platform at once. */
  readonly concurrency: number;
}

/** Why the relay does not start, in a sentence. */
export class StartError extends Error {
  override readonly name = 'StartError';
}

type Environment = Readonly<Record<string, string | undefined>>;

const INTERFACE_VARIABLES: readonly (readonly [variable: string, id: InterfaceId])[] = [
  ['PHS_URL', 'phs'],
  ['MICROPAYMENT_URL', 'micropayment'],
  ['PAYMENT_PAGE_URL', 'payment_page'],
  ['LANDING_URL', 'landing'],
];
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/;

/** @throws {StartError} */
export function readConfig(environment: Environment): Config {
  const baseUrls = readBaseUrls(environment);
  const outside = [...baseUrls.values()].some(({hostname}) => !LOOPBACK.test(hostname));
  const listen = readListen(environment['RELAY_LISTEN'] ?? '127.0.0.1:8788');
  const tls = readTls(environment);
  if (!tls && !LOOPBACK.test(listen.host) && environment['RELAY_TLS'] !== 'terminated') {
    throw new StartError(
      'RELAY_LISTEN is open to others: give RELAY_CERT and RELAY_KEY, or say RELAY_TLS=terminated where something in front of it speaks TLS.',
    );
  }
  return {
    keys: readKeys(environment, outside),
    baseUrls,
    listen,
    tls,
    sourceAddress: readAddress(environment, 'RELAY_SOURCE'),
    publicAddress: readAddress(environment, 'RELAY_ADDRESS'),
    headers: readHeaders(environment['RELAY_HEADERS'] ?? ''),
    concurrency: readConcurrency(environment['RELAY_CONCURRENCY'] ?? '64'),
  };
}

function readKeys(environment: Environment, outside: boolean): Key[] {
  const names = ['RELAY_SECRET', ...(environment['RELAY_SECRET_PREVIOUS'] ? ['RELAY_SECRET_PREVIOUS'] : [])];
  return names.map((name) => {
    const secret = environment[name] ?? '';
    if (secret.length < 32)
      throw new StartError(`${name} must have at least 32 characters, for example from: openssl rand -base64 32.`);
    if (outside && secret.startsWith('sandbox-'))
      throw new StartError(`${name} is the sandbox's, which everybody knows.`);
    return deriveKey(secret);
  });
}

function readBaseUrls(environment: Environment): Map<InterfaceId, URL> {
  const bases = new Map<InterfaceId, URL>();
  for (const [variable, id] of INTERFACE_VARIABLES) {
    const text = environment[variable];
    if (!text) continue;
    const url = URL.canParse(text) ? new URL(text) : null;
    const plain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
    if (!plain || (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname)))) {
      throw new StartError(`${variable} must be an https address without a query.`);
    }
    bases.set(id, url);
  }
  if (bases.size === 0)
    throw new StartError(
      `None of ${INTERFACE_VARIABLES.map(([variable]) => variable).join(', ')} is set: name the platform's addresses as the Worker's configuration does.`,
    );
  return bases;
}

function readListen(text: string): Config['listen'] {
  const [, bracketed, plain, digits] = /^(?:\[([0-9a-f:]+)\]|([\w.-]+)):(\d{1,5})$/i.exec(text) ?? [];
  const host = bracketed ?? plain;
  const port = Number(digits);
  if (host === undefined || port > 65_535)
    throw new StartError('RELAY_LISTEN must be an address and a port, such as 127.0.0.1:8788.');
  return {host, port};
}

function readTls(environment: Environment): Config['tls'] {
  const {RELAY_CERT: certificateFile, RELAY_KEY: keyFile} = environment;
  if (!certificateFile && !keyFile) return null;
  if (!certificateFile || !keyFile)
    throw new StartError('RELAY_CERT and RELAY_KEY belong together: the files of a certificate and of its key.');
  try {
    createSecureContext({cert: readFileSync(certificateFile), key: readFileSync(keyFile)});
  } catch (error) {
    throw new StartError(
      `RELAY_CERT and RELAY_KEY are not files of a certificate and its key (${(error as NodeJS.ErrnoException).code ?? 'unreadable'}).`,
    );
  }
  return {certificateFile, keyFile};
}

function readAddress(environment: Environment, name: string): string | null {
  const text = environment[name];
  if (!text) return null;
  if (isIP(text) === 0) throw new StartError(`${name} must be an IP address.`);
  return text;
}

function readHeaders(text: string): Set<string> {
  const names = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (!names.every(isSendableHeader))
    throw new StartError('RELAY_HEADERS must be names of headers that may be sent, separated by spaces.');
  return new Set([...DEFAULT_HEADERS, ...names]);
}

function readConcurrency(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1024)
    throw new StartError('RELAY_CONCURRENCY must be a whole number from 1 to 1024.');
  return count;
}

export type Bases = ReadonlyMap<InterfaceId, URL>;

/** What the platform's interfaces ask for. Others, such as credentials of mobile billing, are named in RELAY_HEADERS. */
export const DEFAULT_HEADERS: readonly string[] = ['accept', 'authorization', 'content-type', 'merchant', 'token'];

/** The connection's own business, and what an edge or a proxy says of the one who asked: never the Worker's to send. */
const RESERVED_HEADERS =
  /^(cf-.*|x-forwarded-.*|x-real-ip|forwarded|via|cdn-loop|true-client-ip|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|content-length|content-encoding|accept-encoding|upgrade|expect|cookie|user-agent|vezne-.*)$/;

/** Whether an operator may name this header in RELAY_HEADERS. */
export function isSendableHeader(name: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(name) && !RESERVED_HEADERS.test(name);
}

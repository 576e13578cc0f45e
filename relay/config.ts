/**
 * Reads the relay's configuration from its environment. An error message has one line and names variables, but never
 * shows their values.
 */

import {readFileSync} from 'node:fs';
import {isIP} from 'node:net';
import {createSecureContext} from 'node:tls';
import {type InterfaceId, deriveKey, type Key} from './protocol.ts';

export interface Config {
  /** The current key comes first. */
  readonly keys: readonly Key[];
  readonly baseUrls: ReadonlyMap<InterfaceId, URL>;
  readonly listen: {readonly host: string; readonly port: number};
  /** Files of a certificate and its key; null if a terminator in front of the relay handles TLS. */
  readonly tls: {readonly certificateFile: string; readonly keyFile: string} | null;
  /** The address of this host from which calls are sent; null if the system chooses it. */
  readonly sourceAddress: string | null;
  /**
   * The address that the platform sees, if the operator has set it; otherwise null. A host behind NAT cannot find out
   * this address.
   */
  readonly publicAddress: string | null;
  /** Names of the headers that the relay may send to the platform. */
  readonly headers: ReadonlySet<string>;
  /** Maximum number of concurrent calls to the platform. */
  readonly concurrency: number;
}

/** The reason why the relay does not start: one sentence. */
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
const SECRET_ADVICE = 'Set it to the RELAY_SECRET of the Worker, which has at least 32 characters.';
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|::1)$/;

/** @throws {StartError} */
export function readConfig(environment: Environment): Config {
  requireSettings(environment);
  const baseUrls = readBaseUrls(environment);
  const isExternal = [...baseUrls.values()].some(({hostname}) => !LOOPBACK.test(hostname));
  const listen = readListen(environment['RELAY_LISTEN'] ?? '127.0.0.1:8788');
  const tls = readTls(environment);
  if (!tls && !LOOPBACK.test(listen.host) && environment['RELAY_TLS'] !== 'terminated') {
    throw new StartError(
      'RELAY_LISTEN accepts connections from other hosts. Set RELAY_CERT and RELAY_KEY, or set RELAY_TLS=terminated ' +
        'if a terminator in front of the relay handles TLS.',
    );
  }
  return {
    keys: readKeys(environment, isExternal),
    baseUrls,
    listen,
    tls,
    sourceAddress: readAddress(environment, 'RELAY_SOURCE'),
    publicAddress: readAddress(environment, 'RELAY_ADDRESS'),
    headers: readHeaders(environment['RELAY_HEADERS'] ?? ''),
    concurrency: readConcurrency(environment['RELAY_CONCURRENCY'] ?? '64'),
  };
}

/** Names all missing settings in one message, so that the operator can correct them in one step. */
function requireSettings(environment: Environment): void {
  const addresses = INTERFACE_VARIABLES.map(([variable]) => variable);
  const missing = [
    ...(environment['RELAY_SECRET'] ? [] : [`RELAY_SECRET is not set. ${SECRET_ADVICE}`]),
    ...(addresses.some((variable) => environment[variable])
      ? []
      : [
          `None of ${addresses.join(', ')} is set. ` +
            "Set them to the platform's URLs, as in the Worker's configuration.",
        ]),
  ];
  if (missing.length > 0) throw new StartError(missing.join(' '));
}

function readKeys(environment: Environment, isExternal: boolean): Key[] {
  const names = ['RELAY_SECRET', ...(environment['RELAY_SECRET_PREVIOUS'] ? ['RELAY_SECRET_PREVIOUS'] : [])];
  return names.map((name) => {
    const secret = environment[name] ?? '';
    if (secret.length < 32)
      throw new StartError(`${name} must have at least 32 characters, for example from: openssl rand -base64 32.`);
    if (isExternal && secret.startsWith('sandbox-'))
      throw new StartError(`${name} is the sandbox's secret, which is public.`);
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
      throw new StartError(`${variable} must be an https URL without a query.`);
    }
    bases.set(id, url);
  }
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
    throw new StartError('RELAY_CERT and RELAY_KEY must be set together: the files of a certificate and of its key.');
  try {
    createSecureContext({cert: readFileSync(certificateFile), key: readFileSync(keyFile)});
  } catch (error) {
    throw new StartError(
      `RELAY_CERT and RELAY_KEY must be the files of a certificate and its key (${(error as NodeJS.ErrnoException).code ?? 'unreadable'}).`,
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
    throw new StartError('RELAY_HEADERS must be names of allowed headers, separated by spaces.');
  return new Set([...DEFAULT_HEADERS, ...names]);
}

function readConcurrency(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1 || count > 1024)
    throw new StartError('RELAY_CONCURRENCY must be a whole number from 1 to 1024.');
  return count;
}

/**
 * Headers that the platform's interfaces need. RELAY_HEADERS adds others, such as the credentials of mobile billing.
 */
export const DEFAULT_HEADERS: readonly string[] = ['accept', 'authorization', 'content-type', 'merchant', 'token'];

/**
 * Headers of the connection itself, and headers that an edge or a proxy adds about the client. The Worker never sends
 * them.
 */
const RESERVED_HEADERS =
  /^(cf-.*|x-forwarded-.*|x-real-ip|forwarded|via|cdn-loop|true-client-ip|host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|content-length|content-encoding|accept-encoding|upgrade|expect|cookie|user-agent|vezne-.*)$/;

/** Whether an operator may list this header in RELAY_HEADERS. */
export function isSendableHeader(name: string): boolean {
  return /^[a-z0-9-]{1,64}$/.test(name) && !RESERVED_HEADERS.test(name);
}

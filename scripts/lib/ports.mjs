// @ts-check

import {randomInt} from 'node:crypto';
import process from 'node:process';
import getPort from 'get-port';
import {UserError} from './repo.mjs';

/**
 * The port a variable asks for.
 * @param {string} name
 * @param {number} otherwise
 */
export function portFromEnv(name, otherwise) {
  const text = process.env[name];
  if (!text) return otherwise;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`${name} must be a port number between 1 and 65535, not "${text}".`);
  }
  return port;
}

/**
 * Refuses in one sentence when a port is taken on any address of this machine: a browser that is told `localhost` may try
 * `::1` first and would reach the stranger there.
 * @param {number} port
 * @param {string} variable Which variable chooses another.
 * @param {string} command What to type with it.
 */
export async function requireFreePort(port, variable, command) {
  if ((await getPort({port})) !== port) {
    throw new UserError(
      `Port ${port} is taken: end what listens there, or choose another with ${variable}=${port + 10} ${command}.`,
    );
  }
}

/** Below the ports that systems give to outgoing connections: 32768 and up on Linux, 49152 and up elsewhere. */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;

/** A port nobody listens on. Random ones are tried, because several test processes look for a port at the same time. */
export const freePort = () => getPort({port: Array.from({length: 100}, () => randomInt(MIN_PORT, MAX_PORT))});

// @ts-check
// Chooses the ports of local servers.

import {randomInt} from 'node:crypto';
import process from 'node:process';
import getPort from 'get-port';
import {UserError} from './repo.mjs';

/**
 * Reads a port number from an environment variable.
 * @param {string} name
 * @param {number} defaultPort
 */
export function portFromEnv(name, defaultPort) {
  const text = process.env[name];
  if (!text) return defaultPort;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`${name} must be a port number between 1 and 65535, not "${text}".`);
  }
  return port;
}

/**
 * Throws if another program uses the port on any address of this machine. A browser that opens `localhost` may try
 * `::1` first, and would then reach the other program.
 * @param {number} port
 * @param {string} variable - The environment variable that sets the port.
 * @param {string} command - The command to run with that variable.
 * @param {readonly string[]} others - Other variables of the command, which the advice repeats if they are set.
 */
export async function requireFreePort(port, variable, command, others = []) {
  if ((await getPort({port})) !== port) {
    const kept = others.filter((name) => process.env[name]).map((name) => `${name}=${process.env[name]} `);
    throw new UserError(
      `Port ${port} is in use: stop the program that listens there, or run ${kept.join('')}${variable}=${port + 10} ${command}.`,
    );
  }
}

/**
 * The range of `freePort`. It is below the ports that systems use for outgoing connections: 32768 and up on Linux,
 * 49152 and up elsewhere.
 */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;

/**
 * A port that is not in use. It is chosen at random because several test processes look for a port at the same time.
 */
export const freePort = () => getPort({port: Array.from({length: 100}, () => randomInt(MIN_PORT, MAX_PORT))});

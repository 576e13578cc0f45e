// @ts-check
// Chooses the ports of local servers.

import {randomInt} from 'node:crypto';
import {createServer} from 'node:net';
import process from 'node:process';
import {UserError} from './project.mjs';

/**
 * Reads a port number from an environment variable.
 * @param {string} name
 * @param {number} defaultPort
 */
export function portFromEnv(name, defaultPort) {
  return readPort(process.env[name] || undefined, name) ?? defaultPort;
}

/**
 * Reads a port number that the user gave.
 * @param {string | undefined} text
 * @param {string} name - The flag or variable.
 */
export function readPort(text, name) {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new UserError(`${name} must be a port number between 1 and 65535, not "${text}".`);
  }
  return port;
}

/** Addresses of this machine. A browser that opens `localhost` may try `::1` first. */
const HOSTS = ['127.0.0.1', '::1', '0.0.0.0', '::'];

/** Whether no program uses the port on any address of this machine. @param {number} port */
async function isFree(port) {
  for (const host of HOSTS) {
    /** @type {string | undefined} */
    const code = await new Promise((resolve) => {
      const server = createServer();
      server.once('error', (error) => resolve('code' in error ? String(error.code) : 'unknown'));
      server.listen({port, host, exclusive: true}, () => server.close(() => resolve(undefined)));
    });
    // A machine without IPv6 has no `::1`.
    if (code !== undefined && code !== 'EADDRNOTAVAIL' && code !== 'EAFNOSUPPORT') return false;
  }
  return true;
}

/**
 * Throws if another program uses the port, and suggests the next port that is free.
 * @param {number} port
 * @param {string} variable - The environment variable that sets the port.
 * @param {string} command - The command to run with that variable.
 * @param {readonly string[]} others - Other variables of the command, which the advice repeats if they are set.
 */
export async function requireFreePort(port, variable, command, others = []) {
  if (await isFree(port)) return;
  const kept = others.filter((name) => process.env[name]).map((name) => `${name}=${process.env[name]} `);
  let free = port + 10;
  while (free < 65_536 && !(await isFree(free))) free += 10;
  throw new UserError(
    `Port ${port} is in use: stop the program that listens there, or run ${kept.join('')}${variable}=${free} ${command}.`,
  );
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
export async function freePort() {
  for (;;) {
    const port = randomInt(MIN_PORT, MAX_PORT);
    if (await isFree(port)) return port;
  }
}

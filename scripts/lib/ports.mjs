// @ts-check

import {createServer} from 'node:net';
import process from 'node:process';
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
 * @param {number} port
 * @param {string} host
 * @returns {Promise<{port: number} | undefined>} undefined where someone else listens.
 */
function tryPort(port, host) {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (/** @type {NodeJS.ErrnoException} */ error) => {
      // A machine without IPv6 has nobody listening there either.
      resolve(error.code === 'EADDRNOTAVAIL' || error.code === 'EAFNOSUPPORT' ? {port} : undefined);
    });
    server.listen({port, host, exclusive: true}, () => {
      const address = server.address();
      server.close(() => resolve({port: typeof address === 'object' && address ? address.port : port}));
    });
  });
}

/**
 * Refuses in one sentence when a port is taken. Both families are asked: a browser that is told `localhost` may try `::1`
 * first and would reach the stranger there.
 * @param {number} port
 * @param {string} variable Which variable chooses another.
 * @param {string} command What to type with it.
 */
export async function requireFreePort(port, variable, command) {
  for (const host of ['127.0.0.1', '::1']) {
    if (!(await tryPort(port, host))) {
      throw new UserError(
        `Port ${port} is taken: end what listens there, or choose another with ${variable}=${port + 10} ${command}.`,
      );
    }
  }
}

/** Below those that a system gives to connections of its own accord: 32768 and up on Linux, 49152 and up elsewhere. */
const MIN_PORT = 20_000;
const MAX_PORT = 32_000;

/** A port nobody listens on. Nobody takes it by chance either before it is used, be it a minute later. */
export async function freePort() {
  for (;;) {
    const port = MIN_PORT + Math.floor(Math.random() * (MAX_PORT - MIN_PORT));
    if ((await tryPort(port, '127.0.0.1')) && (await tryPort(port, '::1'))) return port;
  }
}

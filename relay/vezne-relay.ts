/**
 * vezne-relay sends a Worker's calls from a host whose address the platform knows. It reads its configuration from the
 * environment. docs/fixed-address.md explains how to run it.
 */

import {readConfig, StartError} from './config.ts';
import {log} from './log.ts';
import {Relay} from './relay.ts';
import {reloadCertificate, serve} from './server.ts';

/** Longer than any call lasts. */
const MAX_SHUTDOWN_MS = 20_000;

try {
  const config = readConfig(process.env);
  const server = serve(new Relay(config), config);
  server.once('error', (error: NodeJS.ErrnoException) =>
    failStart(`it cannot listen on the address in RELAY_LISTEN (${error.code ?? error.message}).`),
  );
  server.listen(config.listen.port, config.listen.host, () => {
    const address = server.address();
    log('listening', {
      address: address && typeof address === 'object' ? `${address.address}:${address.port}` : config.listen.host,
    });
  });
  process.on('SIGHUP', () => reloadCertificate(server, config));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      log('ending');
      // Calls in progress get their answers; new connections are refused.
      server.close(() => process.exit(0));
      server.closeIdleConnections();
      setTimeout(() => process.exit(1), MAX_SHUTDOWN_MS).unref();
    });
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  failStart(error.message);
}

function failStart(reason: string): void {
  process.stderr.write(`vezne-relay does not start: ${reason}\n`);
  process.exit(1);
}

/**
 * vezne-relay: sends a Worker's calls from a host whose address the platform knows. docs/fixed-address.md says how to run
 * it; its configuration stands in its environment.
 */

import {readConfig, StartError} from './config.ts';
import {log} from './log.ts';
import {Relay} from './relay.ts';
import {reloadCertificate, serve} from './server.ts';

/** Longer than any call of the Worker's. */
const MAX_SHUTDOWN_MS = 20_000;

try {
  const config = readConfig(process.env);
  const server = serve(new Relay(config), config);
  server.once('error', (error: NodeJS.ErrnoException) =>
    failStart(`It cannot listen where RELAY_LISTEN says (${error.code ?? error.message}).`),
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
      // What is under way is answered; nobody new is let in.
      server.close(() => process.exit(0));
      server.closeIdleConnections();
      setTimeout(() => process.exit(1), MAX_SHUTDOWN_MS).unref();
    });
  }
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  failStart(error.message);
}

function failStart(why: string): void {
  process.stderr.write(`vezne-relay does not start: ${why}\n`);
  process.exit(1);
}

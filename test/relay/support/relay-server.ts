/** A relay in the process of the test, on a real port, with a clock that the test can move. */

import type {AddressInfo} from 'node:net';
import {readConfig} from '../../../relay/config.ts';
import {Relay} from '../../../relay/relay.ts';
import {serve} from '../../../relay/server.ts';
import type {BaseId} from '../../../worker/platform/relay/protocol.ts';
import {RelayClient} from '../../../worker/platform/relay/relay-client.ts';
import {SECRET} from './secret.ts';

export {SECRET};

/** How long the relay has been running when a test begins: longer than the time in which a new relay admits nothing. */
const RUNNING_MS = 60_000;

export interface RelayServer {
  readonly url: string;
  /** Start time on the relay's clock, in epoch milliseconds. */
  readonly startedAt: number;
  /** Sets the relay's clock to the real time plus this offset. */
  shift(ms: number): void;
  stop(): Promise<void>;
}

/** @param environment - Overrides for the environment of a relay in front of `platform`. */
export async function startRelay(platform: string, environment: Record<string, string> = {}): Promise<RelayServer> {
  const config = readConfig({...environmentFor(platform), ...environment});
  const startedAt = Date.now() - RUNNING_MS;
  let now = () => startedAt;
  const relay = new Relay(config, () => now());
  now = Date.now;
  const server = serve(relay, config);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const {port} = server.address() as AddressInfo;
  return {
    url: `${config.tls ? 'https' : 'http'}://127.0.0.1:${port}`,
    startedAt,
    shift: (ms) => void (now = () => Date.now() + ms),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function environmentFor(platform: string): Record<string, string> {
  return {RELAY_SECRET: SECRET, PHS_URL: `${platform}/phs`, MICROPAYMENT_URL: `${platform}/micropayment`};
}

/** Creates the Worker's client of a relay. */
export function clientOf(
  relayUrl: string,
  platform: string,
  {
    secrets = [SECRET],
    now = Date.now,
    fetch: send = fetch,
  }: {secrets?: string[]; now?: () => number; fetch?: typeof fetch} = {},
): RelayClient {
  const bases = new Map<BaseId, string>([
    ['phs', `${platform}/phs`],
    ['micropayment', `${platform}/micropayment`],
  ]);
  return new RelayClient({url: relayUrl, secrets, bases, fetch: send, now});
}

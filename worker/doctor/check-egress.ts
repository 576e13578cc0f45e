/** Whether calls leave from the address the platform knows, as far as can be told from here, and what they may carry. */

import type {Config} from '../config/config.ts';
import type {Egress} from '../platform/egress.ts';
import type {RelayInfo} from '../platform/relay/protocol.ts';
import {failed, type Finding, ok, skipped, warning} from './explain.ts';

const DEADLINE_MS = 5_000;
/** A relay lets in what is up to two seconds ahead of its clock, and up to thirty behind. */
const MAX_BEHIND_MS = 1_500;
const MAX_AHEAD_MS = 25_000;

interface EgressCheckContext {
  readonly config: Config;
  readonly egress: Egress;
  /** Epoch milliseconds. */
  readonly now: () => number;
}

export async function checkEgress({config, egress, now}: EgressCheckContext): Promise<Finding> {
  const address = egress.relay
    ? await checkRelay(await aboutOf(egress.relay), config.merchant.ip, now())
    : checkWithoutRelay(config);
  if (address.state === 'failed' || egress.oneAttempt || !config.micropayment || config.isSandbox) return address;
  return warning(
    `${address.message} This way out may send a GET twice, so that charges are not refunded, subscriptions not cancelled and test numbers not reset by it.`,
    'Set EGRESS to `relay` if you need one of the three; docs/fixed-address.md has the steps.',
  );
}

/** Nobody tells which address a call left from; the other checks show whether the platform minds. */
function checkWithoutRelay({egress, merchant, isSandbox}: Config): Finding {
  if (isSandbox) return ok(`Calls go to the sandbox on this machine, which takes them from ${merchant.ip}.`);
  const way =
    egress.kind === 'binding'
      ? 'by the binding PLATFORM'
      : 'straight from where the Worker runs, the edge or this host';
  return skipped(
    `Calls leave ${way}. From which address is not to be seen from here, and was compared with nothing; the platform is told ${merchant.ip}.`,
  );
}

/** Null however it fails: silence, a closed port and a stranger's answer are mended alike. */
const aboutOf = (relay: NonNullable<Egress['relay']>): Promise<RelayInfo | null> =>
  relay.about(AbortSignal.timeout(DEADLINE_MS)).catch(() => null);

function checkRelay(about: RelayInfo | null, merchantIp: string, now: number): Finding {
  if (!about) {
    return failed(
      'No relay that has our secret answers at RELAY_URL.',
      'See that it runs and what stands in front of it, and compare RELAY_SECRET on both sides.',
    );
  }
  const aheadMs = about.now - now;
  if (aheadMs < -MAX_BEHIND_MS || aheadMs > MAX_AHEAD_MS) {
    const seconds = Math.ceil(Math.abs(aheadMs) / 1000);
    return failed(
      `The relay’s clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} ours, so that it lets no call in.`,
      'Set the clock of its host, best by NTP.',
    );
  }
  return compareAddresses(about.address === null ? about.sources : [about.address], about.address !== null, merchantIp);
}

function compareAddresses(leaving: readonly string[], stated: boolean, merchantIp: string): Finding {
  const [first, ...others] = leaving;
  if (first === undefined) {
    return warning(
      'The relay finds no way to the platform, and so not from which address it would leave.',
      'Check the addresses in its environment, and whether its host can look names up.',
    );
  }
  if (others.length > 0) {
    return warning(
      `Calls leave the relay’s host from ${leaving.join(' and ')}.`,
      'Name the registered one in the relay’s RELAY_SOURCE.',
    );
  }
  if (first === merchantIp)
    return ok(
      `Calls leave from ${first}, as MERCHANT_IP says: by ${stated ? 'the relay’s RELAY_ADDRESS' : 'what the relay’s host calls its own address'}. What the platform sees it does not tell.`,
    );
  if (!stated && isPrivate(first)) {
    return warning(
      `The relay’s host has the private address ${first}: what the platform sees cannot be told from here.`,
      'Say in the relay’s RELAY_ADDRESS what its network is seen as; it must be what MERCHANT_IP says.',
    );
  }
  return warning(
    `Calls leave from ${first}, but MERCHANT_IP says ${merchantIp}.`,
    `If ${merchantIp} is registered at the platform, let the relay leave from it (RELAY_SOURCE) or say how it is seen (RELAY_ADDRESS). Else register ${first} there and set MERCHANT_IP to it.`,
  );
}

/** Addresses that only a network of one's own knows. */
function isPrivate(address: string): boolean {
  return /^(10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^::1$|^f[cd]|^fe[89ab]/i.test(
    address,
  );
}

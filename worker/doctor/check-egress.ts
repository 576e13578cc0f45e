/** Checks whether calls leave from the IP address that the platform knows, and which calls the egress may carry. */

import type {Config} from '../config/config.ts';
import type {RelayInfo} from '../platform/relay/protocol.ts';
import {failed, type Finding, ok, type OwnCheck, skipped, warning} from './check.ts';

const DEADLINE_MS = 5_000;
/**
 * How far the relay's clock may be behind or ahead of the Worker's clock. If the relay's clock is more than 2 s behind
 * or more than 30 s ahead, the relay refuses the Worker's requests. The check already fails a little below these
 * limits.
 */
const MAX_BEHIND_MS = 1_500;
const MAX_AHEAD_MS = 25_000;

/** What the relay says of itself, and how far its clock is ahead. */
type RelayAnswer = RelayInfo & {readonly aheadMs: number};

/** The fact is null without a relay, and after every failure: the advice is the same whatever answers instead of it. */
export const egress: OwnCheck<RelayAnswer | null> = {
  async read({egress: {relay}}) {
    const about = await relay?.about(AbortSignal.timeout(DEADLINE_MS)).catch(() => null);
    // The clocks are compared now, because the facts of other checks may come seconds later.
    return about ? {...about, aheadMs: about.now - Date.now()} : null;
  },

  find(about, {config, egress: {relay, oneAttempt}}) {
    const address = relay ? checkRelay(about, config.merchant.ip) : checkWithoutRelay(config);
    if (address.state === 'failed' || oneAttempt || !config.micropayment || config.isSandbox) return address;
    return warning(
      `${address.message} This egress may send a GET twice, so the Worker does not refund charges, cancel ` +
        'subscriptions or reset test numbers through it.',
      'To refund charges, cancel subscriptions or reset test numbers, set EGRESS to `relay`; docs/fixed-address.md has ' +
        'the steps.',
    );
  },
};

/**
 * Without a relay, the Worker cannot find out from which IP address its calls leave. If the platform refuses this
 * address, the checks that call the platform report the refusal.
 */
function checkWithoutRelay({egress: {kind}, merchant, isSandbox}: Config): Finding {
  if (isSandbox)
    return ok(
      merchant.ip === ''
        ? 'Calls go to the sandbox on this machine.'
        : `Calls go to the sandbox on this machine, which accepts them as calls from ${merchant.ip}.`,
    );
  const route =
    kind === 'binding' ? 'through the binding PLATFORM' : 'directly from the edge or from the Worker’s host';
  return skipped(
    `Calls leave ${route}. The Worker does not know their IP address, so it was not compared with MERCHANT_IP ` +
      `(${merchant.ip || 'not set'}).`,
  );
}

function checkRelay(about: RelayAnswer | null, merchantIp: string): Finding {
  if (!about) {
    return failed(
      'No relay with our secret answers at RELAY_URL.',
      'Check that the relay runs and can be reached, and that RELAY_SECRET is the same on both sides.',
    );
  }
  const {aheadMs} = about;
  if (aheadMs < -MAX_BEHIND_MS || aheadMs > MAX_AHEAD_MS) {
    const seconds = Math.ceil(Math.abs(aheadMs) / 1000);
    return failed(
      `The relay’s clock is ${seconds} seconds ${aheadMs > 0 ? 'ahead of' : 'behind'} the Worker’s, so the relay refuses ` +
        'all calls.',
      'Set the clock of the relay’s host, preferably with NTP.',
    );
  }
  return compareAddresses(about.address === null ? about.sources : [about.address], about.address !== null, merchantIp);
}

/**
 * @param isConfigured - Whether the relay's operator set the address in RELAY_ADDRESS. If not, the host reported it.
 */
function compareAddresses(addresses: readonly string[], isConfigured: boolean, merchantIp: string): Finding {
  const [first, ...others] = addresses;
  if (first === undefined) {
    return warning(
      'The relay finds no route to the platform, so its own IP address is unknown.',
      'Check the platform’s URLs in the relay’s environment, and whether the relay’s host can resolve names.',
    );
  }
  if (others.length > 0) {
    return warning(
      `Calls leave the relay’s host from several IP addresses: ${addresses.join(' and ')}.`,
      'Set the relay’s RELAY_SOURCE to the address that is registered at the platform.',
    );
  }
  if (merchantIp === '')
    return ok(`Calls leave from ${first}. MERCHANT_IP is not set, so the address was not compared.`);
  if (first === merchantIp)
    return ok(
      `According to ${isConfigured ? 'the relay’s RELAY_ADDRESS' : 'the relay’s host'}, calls leave from ${first}, ` +
        'which is MERCHANT_IP. The doctor cannot know which address the platform sees.',
    );
  if (!isConfigured && isPrivate(first)) {
    return warning(
      `The relay’s host has the private IP address ${first}, so the address that the platform sees is not known.`,
      'Set the relay’s RELAY_ADDRESS to the public address of its network, which must be the address in MERCHANT_IP.',
    );
  }
  return warning(
    `Calls leave from ${first}, but MERCHANT_IP says ${merchantIp}.`,
    `If ${merchantIp} is registered at the platform, make the relay send from ${merchantIp} (RELAY_SOURCE). If calls ` +
      `already reach the platform from ${merchantIp}, set RELAY_ADDRESS to ${merchantIp} instead. Otherwise register ` +
      `${first} at the platform and set MERCHANT_IP to ${first}.`,
  );
}

/** Whether the address is valid only inside a private network. */
function isPrivate(address: string): boolean {
  return /^(10|127)\.|^192\.168\.|^169\.254\.|^172\.(1[6-9]|2\d|3[01])\.|^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|^::1$|^f[cd]|^fe[89ab]/i.test(
    address,
  );
}

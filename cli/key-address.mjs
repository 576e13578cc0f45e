// @ts-check
// Decides where a key may be sent. A key opens everything, so a mistyped or foreign address must not get it.

import path from 'node:path';
import process from 'node:process';
import {readOwn, routesOf} from './configuration.mjs';
import {runningDev} from './leftovers.mjs';
import {secretsFile} from './project.mjs';
import {readOwnSecrets} from './secrets.mjs';
import {isLoopback} from './worker-config.mjs';
import {deployedTargets} from './wrangler.mjs';

/**
 * Why the key must not be sent to this address; null if it may be. No reason repeats the address, because the operator
 * may have put the key there.
 * @param {URL} address
 * @param {{file: string, hosts: readonly string[]} | null} folder - The file that the key comes from, and the hosts of
 *   this folder's Worker; null for a key that the operator gives with the command.
 * @returns {string | null}
 */
export function explainUnsentKey(address, folder) {
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLoopback(address)))
    return 'A key is only sent over https. Over http it is only sent to this machine.';
  if (folder === null || folder.hosts.includes(address.host)) return null;
  return (
    `The key in ${folder.file} is only sent to the Worker of this folder ` +
    `(${folder.hosts.join(', ') || 'none is known'}). Give another Worker its key in MERCHANT_API_KEY.`
  );
}

/** The hosts of this folder's Worker: of its settings, of its last deployment, and of a `vezne dev` that runs. */
const ownHosts = () =>
  [...routesOf(readOwn() ?? {}), ...deployedTargets(), ...runningDev()].flatMap((target) => {
    // wrangler also names a domain as `pay.shop.example (custom domain)`.
    const [, host] = /^(?:https?:\/\/)?([^\s/*]+)(?=[\s/]|$)/.exec(target) ?? [];
    return host && URL.canParse(`https://${host}`) ? [new URL(`https://${host}`).host] : [];
  });

/**
 * The key that the operator gives, or the one of this folder.
 * @param {string | undefined} given
 * @returns {{key: string, folder: {file: string, hosts: readonly string[]} | null}} The key is empty if there is none.
 */
export function readKey(given = process.env['MERCHANT_API_KEY']) {
  if (given) return {key: given, folder: null};
  const key = readOwnSecrets()['MERCHANT_API_KEY'] ?? '';
  return {key, folder: {file: path.basename(secretsFile()), hosts: key ? [...new Set(ownHosts())] : []}};
}

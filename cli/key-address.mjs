// @ts-check
// Decides where a key may be sent. A key opens everything, so a mistyped or foreign address must not get it.

import path from 'node:path';
import process from 'node:process';
import {readOwn, routesOf} from './configuration.mjs';
import {runningDev} from './leftovers.mjs';
import {secretsFile, UserError} from './project.mjs';
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

/**
 * Where a command sends the key. Error messages never repeat an argument, because the operator may have put the key in
 * the wrong place.
 * @param {string | undefined} url - The URL of the Worker.
 * @param {string} key
 * @param {ReturnType<typeof readKey>['folder']} folder
 * @param {string} pathname - The endpoint.
 * @param {string} usage
 * @returns {{address: URL, key: string}}
 */
export function requireCall(url, key, folder, pathname, usage) {
  if (url === undefined || !URL.canParse(url)) throw new UserError(`Usage: ${usage}`);
  if (key === '') throw new UserError('The key is missing: set MERCHANT_API_KEY or pass --key.');
  const {protocol, username, password} = new URL(url);
  if (!/^https?:$/.test(protocol) || username || password)
    throw new UserError(
      '--url must be the URL of the Worker, such as https://pay.merchant.example, without a user name or password.',
    );
  // A header can carry only these characters. For any other character, `fetch` throws an error that quotes the key.
  if (!/^[\x21-\x7e]+$/.test(key))
    throw new UserError(
      'The key contains a space, a line break or a non-ASCII character. A correct key has none of these: copy it again.',
    );
  const address = new URL(pathname, url);
  const refusal = explainUnsentKey(address, folder);
  if (refusal !== null) throw new UserError(refusal);
  return {address, key};
}

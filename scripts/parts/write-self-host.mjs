// @ts-check
// Writes workerd's configuration for `npm run self-host`, from wrangler.toml and the built site. Takes its options as JSON; the variables of the
// operator's file stand in its environment, and only their names are written.

import {writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import {unstable_readConfig as readConfig} from 'wrangler';
import {describeWorkerd} from './self-host-config.mjs';
import {siteFiles} from './site-files.mjs';

/** @type {{home: string, site: string, state: string, host: string, port: number, names: string[]}} */
const {home, names, ...rest} = JSON.parse(process.argv[2] ?? '');
const wrangler = /** @type {import('./self-host-config.mjs').Wrangler} */ (
  /** @type {unknown} */ (readConfig({config: 'wrangler.toml'}, {hideWarnings: true}))
);
const {CLIENT_ADDRESS_HEADER: clientAddressHeader = '', ...environment} = Object.fromEntries(
  names.map((name) => [name, process.env[name]]),
);
const fromEnvironment = Object.keys(environment);
writeFileSync(
  path.join(home, 'config.capnp'),
  describeWorkerd({...rest, wrangler, files: siteFiles(rest.site), environment, fromEnvironment, clientAddressHeader}),
);

// @ts-check
// The Worker's own parser of its settings: in a clone the sources of the Worker, in the package a bundle of them.

import {isClone, PARSER_MODULES} from './project.mjs';

/** @typedef {Record<string, unknown>} Values */

/**
 * Imports without types, because the Worker's need those of workerd instead of Node.
 * @param {string} file
 * @returns {Promise<any>}
 */
const load = (file) => import(new URL(file, import.meta.url).href);

const modules = isClone
  ? await Promise.all(PARSER_MODULES.map((name) => load(`../worker/config/${name}.ts`)))
  : [await load('../dist/cli/worker-config.js')];
const all = Object.assign({}, ...modules);

/** @type {(values: Values) => {unusableOffers: {reasons: readonly string[]}}} */
export const readConfig = all.readConfig;
/** @type {new () => Error & {reasons: readonly string[]}} */
export const ConfigError = all.ConfigError;
/** @type {readonly string[]} */
export const SETTING_NAMES = all.SETTING_NAMES;
/** @type {readonly string[]} */
export const ADDRESSES = all.ADDRESSES;
/** @type {ReadonlySet<string>} */
export const OF_THE_PLATFORM = all.OF_THE_PLATFORM;
/** @type {ReadonlySet<string>} */
export const SECRET_NAMES = all.SECRET_NAMES;
/** @type {(values: Values) => readonly string[]} */
export const neededSecrets = all.neededSecrets;
/**
 * A setting that `vezne new` asks for.
 * @typedef {{name: string, flag: string, text: string, example: string, of?: 'platform', isNeeded: boolean}} AskedSetting
 */

/** @type {readonly AskedSetting[]} */
export const ASKED_SETTINGS = all.ASKED_SETTINGS;
/** @type {(path: readonly string[]) => readonly string[]} */
export const fieldNames = all.fieldNames;
/** @type {(name: string) => boolean} */
export const isOffersName = all.isOffersName;
/** @type {(pattern: object) => boolean} */
export const allowsLoopback = all.allowsLoopback;
/** @type {(url: URL) => boolean} */
export const isLoopback = all.isLoopback;
/** @type {(text: string) => object | null} */
export const parseOriginPattern = all.parseOriginPattern;
/** @type {(values: Values) => string[]} */
export const findSandboxSecrets = all.findSandboxSecrets;
/** @type {(url: string, allowsLocal: boolean) => string | null} */
export const explainWebhookUrl = all.explainWebhookUrl;
/** The name of the script that defines each element. @type {Readonly<Record<string, string>>} */
export const ELEMENT_SCRIPTS = all.ELEMENT_SCRIPTS;

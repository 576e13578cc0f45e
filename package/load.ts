/** Loads the elements into a page from a script of the merchant's own Worker, as a script tag does. */

import type {VezneElementName} from './generated/elements.ts';

export interface LoadOptions {
  /** The script's `integrity`, for a pinned file. */
  readonly integrity?: string | undefined;
  /** The nonce of the page's Content-Security-Policy. */
  readonly nonce?: string | undefined;
  /**
   * Elements of the script that must be defined before the promise resolves. The script then loads all of its files at
   * once, so that elements in shadow roots work, which it cannot find.
   */
  readonly elements?: readonly VezneElementName[] | undefined;
}

/** What a page has loaded: `api` is the address of the Worker that the elements call. */
export interface LoadedVezne {
  readonly api: string;
}

/**
 * Why the elements did not load.
 *
 * - `network`: the script did not arrive, or does not have the given `integrity`. The browser does not say which.
 * - `blocked`: the page's Content-Security-Policy does not allow the script. There was no second try.
 * - `timeout`: the script or its elements did not load in 20 seconds.
 */
export type LoadReason = 'network' | 'blocked' | 'timeout';

/** The elements did not load, also not at the second try. A later call of `loadVezne` tries again. */
export class VezneLoadError extends Error {
  override readonly name = 'VezneLoadError';
  readonly reason: LoadReason;
  /** The address of the script. */
  readonly url: string;
  constructor(reason: LoadReason, url: string) {
    super(`${url} did not load: ${reason}`);
    this.reason = reason;
    this.url = url;
  }
}

const TIMEOUT_MS = 20_000;

/** What the scripts of a page share; see `widgets/core/script-tag.ts`. */
interface LoadedScripts {
  readonly api: string;
  readonly scripts: ReadonlyMap<string, ((isAll: boolean) => void) | undefined>;
}

/** The scripts that the page has loaded or is loading, by the address of the file. */
const loading = new Map<string, Promise<void>>();
/** How often each script has been added to the page. */
const attempts = new Map<string, number>();

/**
 * Loads a script of your Worker, once however often you call it, and tries once more if it does not load. Importing this
 * module does nothing.
 * @param url - The address of a script, such as `https://pay.shop.example/checkout.js?offer=lamp`; or of the Worker,
 * `https://pay.shop.example`, for its `vezne.js`, which loads what the page contains.
 * @returns Null on a server, where there is no page.
 * @throws {VezneLoadError}
 */
export async function loadVezne(url: string, options: LoadOptions = {}): Promise<LoadedVezne | null> {
  if (typeof document === 'undefined') return null;
  const script = new URL(url, document.baseURI);
  if (!script.pathname.endsWith('.js')) script.pathname = `${script.pathname.replace(/\/$/, '')}/vezne.js`;
  const {elements = []} = options;
  if (elements.length > 0) script.hash = 'all';
  const file = script.origin + script.pathname;
  if (!loading.has(file)) loading.set(file, load(script, options));
  await loading.get(file)?.catch((error) => {
    loading.delete(file);
    throw error;
  });
  const page = globalThis as {[key: symbol]: LoadedScripts | undefined};
  const {api = new URL('.', script).href, scripts} = page[Symbol.for('vezne')] ?? {};
  // A script that was loaded for fewer elements loads the others now.
  if (elements.length > 0) for (const start of scripts?.values() ?? []) start?.(true);
  await inTime(Promise.all(elements.map((name) => customElements.whenDefined(name))), script.href);
  return {api: api.replace(/\/$/, '')};
}

async function load(url: URL, options: LoadOptions): Promise<void> {
  try {
    await addScript(url, options);
  } catch (error) {
    if (error instanceof VezneLoadError && error.reason === 'blocked') throw error;
    await addScript(url, options);
  }
}

/** Adds the script: from the second attempt on with a new address, because most browsers remember a failed module. */
async function addScript({href}: URL, {integrity = '', nonce = ''}: LoadOptions): Promise<void> {
  const attempt = (attempts.get(href) ?? 0) + 1;
  attempts.set(href, attempt);
  const address = new URL(href);
  if (attempt > 1) address.searchParams.set('retry', `${attempt}`);
  const url = address.href;
  const script = Object.assign(document.createElement('script'), {type: 'module', integrity, nonce});
  let isBlocked = false;
  const onViolation = ({blockedURI}: SecurityPolicyViolationEvent) => {
    isBlocked ||= blockedURI !== '' && url.startsWith(blockedURI);
  };
  document.addEventListener('securitypolicyviolation', onViolation);
  const loaded = new Promise((resolve, reject) => {
    script.addEventListener('load', resolve);
    // The browser reports a violation in a task of its own.
    script.addEventListener('error', () => setTimeout(reject));
  });
  try {
    script.src = trusted(url);
    document.head.append(script);
    await inTime(loaded, url);
  } catch (error) {
    script.remove();
    if (error instanceof VezneLoadError) throw error;
    // Without a violation, an error that was thrown is that of Trusted Types.
    throw new VezneLoadError(isBlocked || error ? 'blocked' : 'network', url);
  } finally {
    document.removeEventListener('securitypolicyviolation', onViolation);
  }
}

/** @throws {VezneLoadError} with the reason `timeout`. */
async function inTime(loaded: Promise<unknown>, url: string): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise((_resolve, reject) => {
    timer = setTimeout(() => reject(new VezneLoadError('timeout', url)), TIMEOUT_MS);
  });
  await Promise.race([loaded, late]).finally(() => clearTimeout(timer));
}

type Policy = {createScriptURL(url: string): unknown};
let policy: Policy | undefined;

/** The URL as a page with Trusted Types requires it. */
function trusted(url: string): string {
  const {trustedTypes} = globalThis as {trustedTypes?: {createPolicy(name: string, rules: Policy): Policy}};
  policy ??= trustedTypes?.createPolicy('vezne-loader', {createScriptURL: (each) => each});
  return (policy?.createScriptURL(url) ?? url) as string;
}

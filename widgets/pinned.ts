/**
 * Runs first in each pinned file, such as `/vezne/1.4.0/checkout.js`: the elements call the Worker two folders above it.
 * Says on the console if the file does nothing, and, next to a sandbox, if the Worker is of another release.
 */

import {joinPage, type ScriptName} from './core/script-tag.ts';

declare const __VEZNE_SCRIPT__: Exclude<ScriptName, 'vezne'>;
declare const __VEZNE_RELEASE__: string;

const TAGS = {
  checkout: 'checkout',
  subscribe: 'pin-subscribe',
  vendor: 'vendor-form',
  refund: 'refund-contact',
  activity: 'activity',
};
const SCRIPT_URL = import.meta.url;
const root = new URL('../../', SCRIPT_URL);
const file = `${__VEZNE_SCRIPT__}.js of release ${__VEZNE_RELEASE__}`;

const warn = (text: string) => console.warn(`Vezne: ${text}`);

async function compareReleases(): Promise<void> {
  const response = await fetch(new URL('vezne/releases.json', root), {credentials: 'omit'});
  const {current} = (await response.json()) as {readonly current: string};
  if (current !== __VEZNE_RELEASE__)
    warn(`this page has ${file}, and its Worker is of release ${current}. Both work together.`);
}

joinPage(root.href);
if (customElements.get(`vezne-${TAGS[__VEZNE_SCRIPT__]}`))
  warn(`${file} does nothing, because this page has loaded another ${__VEZNE_SCRIPT__}.js first.`);
// With a sandbox, the Worker runs on the developer's own machine. Only then is one more request worth it.
if (/^(localhost|127\..+|\[::1\])$/.test(root.hostname)) compareReleases().catch(() => {});

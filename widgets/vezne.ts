/**
 * The script tag: `<script type="module" src="https://pay.merchant.example/vezne.js"></script>`. Defines the elements
 * a page has, now or later, and tells them that the Worker is where the script came from. May be loaded twice, also
 * in two versions: the first does the work, and the second ends before it imports anything.
 *
 * Elements in the shadows of other components cannot be seen from here; for those a page writes `vezne.js#all`, and
 * everything is defined at once.
 */
import type {ElementClass} from './define.ts';
import {askAhead, type Script} from './head-start.ts';
import {followHandoffLinks, takeHandoffLink} from './handoff/take-link.ts';

interface Family {
  readonly tags: string;
  readonly load: () => Promise<{readonly elements: readonly ElementClass[]; readonly define: (elements: readonly ElementClass[], api: string) => void}>;
}

/** What shows the banks first of all. */
const CHOOSING = 'vezne-checkout,vezne-bank-list';

/** Elements that come in one file, and the file. */
const FAMILIES: readonly Family[] = [
  {tags: CHOOSING, load: () => import('./choosing.ts')},
  {tags: 'vezne-pin-subscribe', load: () => import('./subscribing.ts')},
  {tags: 'vezne-one-click', load: () => import('./confirming.ts')},
  {tags: 'vezne-pay-button,vezne-payment-notice', load: () => import('./hosted.ts')},
  {tags: 'vezne-subscription', load: () => import('./managing.ts')},
  {tags: 'vezne-vendor-form', load: () => import('./registering.ts')},
  {tags: 'vezne-payment-code,vezne-payment-status', load: () => import('./paying.ts')},
  {tags: 'vezne-activity', load: () => import('./counting.ts')},
];

const SCRIPT = Symbol.for('vezne');
const SCRIPT_URL = import.meta.url;
const API = new URL('.', SCRIPT_URL).href;
const RETRY_MS = 5_000;

/** Not asked for yet, and not defined yet. */
const awaited = new Set(FAMILIES);
const missing = new Set(FAMILIES);
const observer = new MutationObserver(find);

/** Defines what is there and not defined yet. */
function find(): void {
  for (const family of awaited) {
    const element = document.querySelector(family.tags) ?? (SCRIPT_URL.endsWith('#all') && document.body);
    if (element) void load(family, element);
  }
}

async function load(family: Family, element: Element): Promise<void> {
  awaited.delete(family);
  const loading = family.load();
  if (page[SCRIPT] && element.matches(`:is(${CHOOSING}):not([api])`)) askAhead(page[SCRIPT], element);
  try {
    const {define, elements} = await loading;
    define(elements, API);
    missing.delete(family);
    if (missing.size === 0) observer.disconnect();
  } catch {
    const failure = new Event('vezne-error', {bubbles: true, composed: true});
    element.dispatchEvent(Object.assign(failure, {code: 'network', retryable: true}));
    setTimeout(() => {
      awaited.add(family);
      find();
    }, RETRY_MS);
  }
}

const page = globalThis as {[SCRIPT]?: Script};
if (!page[SCRIPT]) {
  takeHandoffLink();
  followHandoffLinks();
  page[SCRIPT] = {api: API, ahead: new Map()};
  observer.observe(document, {childList: true, subtree: true});
  find();
}

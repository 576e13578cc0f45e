/** Opens a merchant's page in a frame, so that a test can reload the page and set its Content-Security-Policy. */

import {until} from './page.ts';
import {origin} from './test-worker.ts';

const frames: HTMLIFrameElement[] = [];

afterEach(() => {
  for (const frame of frames.splice(0)) frame.remove();
});

interface PageOptions {
  readonly head?: string;
  readonly body?: string;
  /** The page's Content-Security-Policy. */
  readonly policy?: string;
  readonly lang?: string;
}

/** The script tag that loads the built `vezne.js`. */
export const SCRIPT = `<script type="module" src="${origin}/built/vezne.js"></script>`;

/** The Content-Security-Policy for every page with elements: no inline code or style, and only the elements' policies. */
export const STRICT = [
  `default-src 'none'`,
  `script-src ${origin}`,
  `connect-src ${origin} ${origin.replace('http', 'ws')}`,
  `require-trusted-types-for 'script'`,
  `trusted-types vezne-transfer vezne-subscription vezne-vendor vezne-refund vezne-human`,
].join('; ');

export async function openPage(options: PageOptions, fragment = ''): Promise<HTMLIFrameElement> {
  const frame = document.createElement('iframe');
  frame.width = '400';
  frame.height = '800';
  frame.src = `/page?${new URLSearchParams({...options})}${fragment}`;
  frames.push(frame);
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
  document.body.append(frame);
  await loaded;
  return frame;
}

export async function reload(frame: HTMLIFrameElement): Promise<void> {
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, {once: true}));
  frame.contentWindow?.location.reload();
  await loaded;
}

/** The built files that a frame has fetched, without version and digest. */
export function fetchedFiles(frame: HTMLIFrameElement): string[] {
  const entries = frame.contentWindow?.performance.getEntriesByType('resource') ?? [];
  return entries
    .map(
      ({name}) =>
        /\/(?:vezne\/[^/]+\/)?([\w/-]+?)(?:-[\w-]{8})?\.js(?:[?#]|$)/.exec(name.replace(/^.*?:\d+\/[^/]+/, ''))?.[1],
    )
    .filter((name) => name !== undefined)
    .sort();
}

/** Records violations of a page's policy, uncaught errors and unhandled rejections. */
export function recordFaults(frame: HTMLIFrameElement): readonly Event[] {
  const faults: Event[] = [];
  for (const type of ['error', 'unhandledrejection'])
    frame.contentWindow?.addEventListener(type, (event) => faults.push(event));
  frame.contentDocument?.addEventListener('securitypolicyviolation', (event) => faults.push(event));
  return faults;
}

/** Waits for an element of the page. */
export function inside(frame: HTMLIFrameElement, selector: string): Promise<HTMLElement> {
  return until(selector, () => frame.contentDocument?.querySelector<HTMLElement>(selector));
}

/** Makes the timers of a page run 20 times faster. A request or a file without an answer is given up after 0.75 s. */
export const FAST_TIMERS = fastTimers('ms / 20');
/** The same, but requests and files have their whole 15 s, which a busy machine needs. */
export const FAST_RETRIES = fastTimers('ms < 12000 ? ms / 20 : ms');

function fastTimers(duration: string): string {
  return `<script>const realSetTimeout = setTimeout; setTimeout = (run, ms) => realSetTimeout(run, ${duration});</script>`;
}

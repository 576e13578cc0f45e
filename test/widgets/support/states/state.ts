/** What a state of an element is, and what several elements' states share. */

import {emulateMedia} from '@web/test-runner-commands';
import type {HandoffLink} from '../../../../widgets/transfer/purchase/handoff-link.ts';
import type {ErrorCode} from '../../../../worker/contract/codes.ts';
import type {Fault, Script} from '../../stub-worker/script.ts';
import {FakeTime} from '../fake-time.ts';
import {find, until, untilText} from '../page.ts';
import type {TestWorker} from '../test-worker.ts';

/** What the stub Worker does. It is a function if the answers contain times that depend on the current time. */
export type StateScript = Partial<Script> | (() => Partial<Script>);

export interface State {
  readonly markup: string;
  /** The hand-off link that opened the page. */
  readonly link?: Pick<HandoffLink, 'bank'>;
  readonly script?: StateScript;
  /** Runs before the element is added to the page. @returns A function that undoes it after the test. */
  readonly prepare?: (worker: TestWorker) => void | (() => unknown);
  readonly reach: (element: Element, worker: TestWorker) => Promise<unknown>;
  /** Reaches the state again after the language has changed, if the change ends the state. */
  readonly again?: (element: Element) => Promise<unknown>;
  /** The only screen that shows this state. By default, both screens show it. */
  readonly screen?: 'phone' | 'desktop';
}

export type States = Readonly<Record<string, State>>;

export const SELLER = {
  name: 'Fener Atölyesi',
  support_url: 'https://shop.example/help',
  support_email: 'help@shop.example',
  support_phone: '0850 000 00 00',
};

export const showsText = (expected: string) => (element: Element) => untilText(element, expected);

export const showsSkeleton = async (element: Element): Promise<void> => {
  await until('the skeleton', () => find(element, '.skeleton'));
};

export const held = {kind: 'held'} as const;

/** A request without an answer, as if the network had failed. */
export const reset = {kind: 'reset'} as const;

export const refused = (code: ErrorCode, details: {retryAfter?: number; attemptsLeft?: number} = {}): Fault => ({
  kind: 'problem',
  code,
  ...details,
});

export const unavailable = refused('temporarily_unavailable');

/** Makes the next element behave as if a hand-off link had opened the page. */
export function openedByLink(link: Pick<HandoffLink, 'bank'> = {}): void {
  Object.assign(globalThis, {[Symbol.for('vezne handoff')]: {vezne: 'a-code', offer: 'gold', ...link}});
}

/** Changes the page's URL to the URL to which the platform sends the shopper back. */
export function returnFrom(hostedPage: string, outcome: string): void {
  const address = new URL(location.href);
  address.searchParams.set('vezne-return', `${hostedPage}.${outcome}`);
  history.replaceState(null, '', address);
}

function override(target: object, name: string, value: unknown): () => void {
  Object.defineProperty(target, name, {value, configurable: true});
  return () => Reflect.deleteProperty(target, name);
}

/** Makes copying succeed. Without this, the browser does not let a test's page copy. */
export const allowCopying = (): (() => void) => {
  const undo = override(navigator, 'clipboard', {writeText: async () => {}});
  const release = holdTimers();
  return () => {
    undo();
    release();
  };
};

/** Makes the browser refuse to copy, like some in-app browsers. */
export const refuseCopying = (): (() => void) => {
  const undo = [override(navigator, 'clipboard', undefined), override(document, 'execCommand', () => false)];
  return () => undo.forEach((each) => each());
};

/** Adds the share dialog that most phones have. */
export const addSharing = (): (() => void) => override(navigator, 'share', async () => {});

/** Makes the browser say that the device is offline. */
export const goOffline = (): (() => void) => override(navigator, 'onLine', false);

/** Makes the browser refuse to store anything. */
export const blockStorage = (): (() => void) => {
  const {setItem} = Storage.prototype;
  Storage.prototype.setItem = () => {
    throw new DOMException('refused', 'QuotaExceededError');
  };
  return () => (Storage.prototype.setItem = setItem);
};

/** Holds the timers of at least half a second, so that a short confirmation stays until all screenshots are taken. */
export function holdTimers(): () => void {
  const time = new FakeTime();
  return () => time.release();
}

/** A page that the shopper prints. */
export const printed = (state: State): State => ({
  ...state,
  prepare: () => () => emulateMedia({media: 'screen'}),
  reach: async (element, worker) => {
    await state.reach(element, worker);
    await emulateMedia({media: 'print'});
  },
});

/**
 * Stores what an element has stored on an earlier visit.
 * @param names - What follows the Worker's address in the key.
 */
export const stored =
  (value: object, names = '') =>
  ({address}: TestWorker): void =>
    localStorage.setItem(`vezne ${address}${names}`, JSON.stringify(value));

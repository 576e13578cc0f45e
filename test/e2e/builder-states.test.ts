/** Walks the addresses of all states, and looks there for what the state's name says. */

import type {Page, Request} from 'playwright-core';
import {expect, inject, test} from 'vitest';
import {type Tag, TAGS} from '../../demo/builder/elements.ts';
import type {StateName} from '../../demo/builder/state-names.ts';
import {recipeOf, statesOf} from '../../demo/builder/states.ts';
import {useChromium} from './support/chromium.ts';

const {page: origin} = inject('addresses');
const openProfile = useChromium();

type Line = string | ((...amounts: string[]) => string);
type Views = Readonly<Record<string, readonly [title: Line, text: Line]>>;
/** The types of the elements need other libraries than those of these tests. */
const {texts} = (await import(new URL('../../widgets/locales/payment/payment-en.ts', import.meta.url).href)) as {
  readonly texts: {readonly views: Views};
};
const {views} = texts;
/** The views of an order that the shop's server has made, whose page cannot make a new one. */
const OF_THE_SHOP: Readonly<Record<string, string>> = {expired: 'reopen', lost: 'reopen'};
/** What a part of the money names. */
const PART = ['₺100.00', '₺49.90'] as const;
const NAMES_PART: ReadonlySet<string> = new Set(['partial-over', 'lost-partial']);

/** The words of a view, of which no other view has the same. */
function wordsOf(view: string): string {
  const [title = '', text = ''] = views[OF_THE_SHOP[view] ?? view] ?? [];
  if (typeof text === 'string') return text;
  return NAMES_PART.has(view) ? text(...PART) : String(title);
}

/** What the other states show. */
const SHOWN: Readonly<Partial<Record<StateName, string>>> = {
  'no-code': 'text=We couldn’t start the payment',
  'no-buyer': 'text=Your details',
  'qr-code': '.qr',
  'phone-bill': 'text=Pay ₺149.90 by phone bill',
  link: '.question .button',
  brought: 'text=Back to my own order',
  unread: '.skeleton',
  failed: 'text=can’t take payments',
  chosen: ':checked',
  disabled: ':disabled',
  empty: 'text=Bank transfer isn’t available right now',
  form: 'text=Forgot to include the code?',
  invalid: '[aria-invalid=true]',
  recognized: '#confirm',
  'another-number': '[name=number]',
  'pin-asked': 'text=Enter the code we texted you',
  'pin-wrong': 'text=That code isn’t right',
  subscribed: 'text=You’re subscribed',
  'already-subscribed': 'text=You’re already subscribed',
  'not-eligible': 'text=This number can’t subscribe',
  'outcome-unknown': 'text=We don’t know yet',
  active: 'text=Active',
  retry: 'text=Payment failed',
  suspend: 'text=Your subscription is paused',
  rejected: 'text=Not approved',
  unknown: 'text=Check again later, or cancel it',
  'cancel-asked': '.danger',
  summary: 'text=Check your details',
  sent: 'text=We’ve received your details',
  checking: 'text=We’re checking your refund',
  refused: 'text=These details weren’t accepted',
  used: 'text=This link was used',
  'link-expired': 'text=This link has expired',
  withdrawn: 'text=This link was withdrawn',
  'money-gone': 'text=This link can’t be used',
  loading: '.skeleton',
  unavailable: 'text=isn’t responding',
  'rate-limited': 'text=Please wait a moment',
  'not-on-sale': 'text=isn’t available right now',
  unreachable: 'text=We can’t reach the payment service',
};

/** What an element shows in the place of the usual sign of a state. */
const ELSEWHERE: Readonly<Partial<Record<Tag, Readonly<Partial<Record<StateName, string>>>>>> = {
  'vezne-payment-code': {pay: '[part~=code]', partial: 'text=Remaining amount'},
  'vezne-payment-notice': {'rate-limited': 'text=Your report hasn’t been sent yet'},
  'vezne-pay-button': {loading: 'text=Opening the payment page'},
  'vezne-subscription': {cancelled: 'text=Your subscription is cancelled'},
};

const shown = (element: Tag, state: StateName): string =>
  ELSEWHERE[element]?.[state] ?? SHOWN[state] ?? `text=${wordsOf(state)}`;

async function openAddress(page: Page, element: Tag, state: StateName): Promise<void> {
  const sent: string[] = [];
  const note = (request: Request) => void sent.push(`${request.method()} ${new URL(request.url()).pathname}`);
  page.on('request', note);
  await page.goto(`${origin}/en/preview?element=${element}&state=${state}`);
  await page.locator('#place').locator(shown(element, state)).first().waitFor({state: 'attached', timeout: 30_000});
  page.off('request', note);
  // The preview holds these back, so that the element waits for ever.
  const held = Object.entries(recipeOf(element, state)?.answers ?? {}).filter(([, answer]) => answer === 'held');
  expect(held.filter(([request]) => sent.includes(request))).toEqual([]);
}

/** What the preview shows instead. */
const textOf = (page: Page): Promise<string> => page.locator('#place > *').ariaSnapshot({timeout: 5000}).catch(String);

test.each(TAGS.filter((element) => statesOf(element).length > 0))(
  'each state of %s has an address, where a colleague sees it',
  async (element) => {
    const page = await (await openProfile()).newPage();
    const missed: string[] = [];
    for (const state of statesOf(element))
      await openAddress(page, element, state).catch(async (error: unknown) =>
        missed.push(`${state}: ${shown(element, state)}: ${String(error).split('\n', 1)[0]}: ${await textOf(page)}`),
      );
    expect(missed).toEqual([]);
  },
);

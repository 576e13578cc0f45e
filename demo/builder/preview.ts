/**
 * The page in the builder's frame: the elements of exactly the snippet that the builder prints. What the merchant's
 * server would do, such as creating a session, this page does with the sandbox's key, which everybody knows.
 */

import '../demo-bar.ts';
import {formatNumber} from '../club/phone.ts';
import {callMerchant, createSession} from '../merchant-server.ts';
import {load, REFUND_LINK} from '../saved.ts';
import {type Choices, type Field, MARKETING, offerName, readChoices} from './choices.ts';
import {type Member, readMembers} from './members.ts';
import {elementNode, lookStyle, type Node, type Place, scriptAddress} from './snippet.ts';

const place = document.querySelector('#place') as HTMLElement;
const note = document.querySelector('#note') as HTMLElement;
const signIn = document.querySelector('#sign-in') as HTMLElement;
const members = document.querySelector('#member') as HTMLSelectElement;
const {key = '', sandbox = '', sentence = '', club = '', again = '', success = ''} = place.dataset;

const SERVICE = 'DEMO';
/** The seller whom an element names where only the seller can help. */
const SELLER = {name: 'Fener Atölyesi', support_email: 'destek@fener.example', support_phone: '0850 000 00 00'};
const VENDOR = {name: 'Ada Seramik', phone: '05321234567', iban: 'TR330006100519786457841326'};

let choices = readChoices(new URLSearchParams(location.search));
const snippetPlace: Place = {worker: location.origin, platform: sandbox, texts: {sentence, club, again, success}};

/** Styles of a style sheet that a script makes need no digest in the page's policy. */
const look = new CSSStyleSheet();
document.adoptedStyleSheets.push(look);

/** Makes the elements of a snippet. The page's policy forbids HTML from text. */
function build({tag, attributes, children}: Node): HTMLElement {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value === true ? '' : value);
  element.append(...children.map((child) => (typeof child === 'string' ? child : build(child))));
  return element;
}

/** Shows the element, with what the merchant's server would have written into the page. */
async function show(): Promise<void> {
  look.replaceSync(lookStyle(choices));
  const element = build(elementNode(choices, snippetPlace));
  if (choices.fields.length > 0) await makeOffer(choices);
  const written = await writtenByServer();
  if (written === undefined) return say(choices.element);
  for (const [name, value] of Object.entries(written)) element.setAttribute(name, value);
  place.replaceChildren(element);
  await import(/* @vite-ignore */ scriptAddress(choices, location.origin));
  const {notes = ''} = note.dataset;
  if (notes.split(' ').includes(choices.element)) say(choices.element);
}

/** The attributes that the merchant's server writes; undefined if there is nothing to show yet. */
async function writtenByServer(): Promise<Record<string, string> | undefined> {
  switch (choices.element) {
    case 'vezne-subscription':
      return subscriptionSession();
    case 'vezne-vendor-form': {
      const vendor = {vendor_code: `V-${Date.now().toString(36)}`, ...VENDOR};
      return {session: await createSession(key, {kind: 'vendor', service: SERVICE, ...vendor})};
    }
    case 'vezne-refund-contact': {
      const link = load(REFUND_LINK);
      return link ? {link} : undefined;
    }
    default:
      return {};
  }
}

let known: readonly Member[] = [];

/** A shopper who signs in at the merchant gets a session for their own subscription. */
async function subscriptionSession(): Promise<Record<string, string> | undefined> {
  const {value} = members;
  known = await readMembers(key);
  const states = members.dataset;
  members.replaceChildren(
    ...known.map(
      ({subscription, msisdn, state}) =>
        new Option(`${formatNumber(msisdn)} · ${states[state] ?? state}`, subscription),
    ),
  );
  signIn.hidden = known.length === 0;
  if (value) members.value = value;
  const member = known.find(({subscription}) => subscription === members.value);
  if (!member) return undefined;
  const {service, subscription} = member;
  const session = {kind: 'management', via: 'micropayment', service, subscription, seller: SELLER};
  return {session: await createSession(key, session)};
}

members.addEventListener('change', () => {
  place.replaceChildren();
  void start();
});
document.addEventListener('vezne-cancel', async () => {
  known = await readMembers(key);
  const state = known.find(({subscription}) => subscription === members.value)?.state ?? '';
  const [option] = members.selectedOptions;
  if (option) option.text = option.text.replace(/·.*/, `· ${members.dataset[state] ?? state}`);
});

/** Makes an offer that asks who buys. A merchant writes it into the configuration, or makes it by the same request. */
async function makeOffer({offer, fields}: Choices): Promise<void> {
  await callMerchant(key, 'PUT', `offers/${offerName(choices)}`, {
    kind: 'payment',
    service: SERVICE,
    amount: '149.90',
    uses: 'many',
    title: {tr: 'Ahşap masa lambası', en: 'Wooden table lamp'},
    seller: SELLER,
    privacy_url: `${location.origin}/club#privacy`,
    ...(offer === 'brief' && {hours: 0.0167}),
    fields: Object.fromEntries(fields.map((field: Field) => [field, field === 'marketing' ? MARKETING : 'required'])),
  });
}

/** Says what the page cannot show, and where to get what is missing. */
function say(name: string): void {
  for (const each of note.querySelectorAll<HTMLElement>('[data-of]'))
    each.hidden = !each.dataset['of']?.split(' ').includes(name);
  note.hidden = false;
}

async function start(): Promise<void> {
  try {
    await show();
  } catch {
    say('failure');
  }
}

// The builder changes colors and language without a new page, so that the shopper's step stays.
addEventListener('message', ({data, origin}: MessageEvent<unknown>) => {
  if (origin !== location.origin || typeof data !== 'string' || !data.startsWith('?')) return;
  const next = readChoices(new URLSearchParams(data));
  if (next.element !== choices.element || offerName(next) !== offerName(choices))
    return location.replace(location.pathname + data);
  choices = next;
  look.replaceSync(lookStyle(choices));
  const element = place.firstElementChild;
  for (const name of ['lang', 'theme'] as const) {
    if (choices[name]) element?.setAttribute(name, choices[name]);
    else element?.removeAttribute(name);
  }
  history.replaceState(null, '', location.pathname + data);
});

void start();

/** The page in the builder's frame: the elements of exactly the snippet that the builder prints, in a state if there is one. */

import '../demo-bar.ts';
import {formatNumber} from '../club/phone.ts';
import {SandboxClient} from '../sandbox-client.ts';
import {offerName, readChoices} from './choices.ts';
import {rowOf} from './elements.ts';
import {type Member, readMembers} from './members.ts';
import {pageData} from './page-data.ts';
import {
  makeOffer,
  managementSession,
  prepareOrder,
  prepareSubscription,
  prepareVisit,
  type Servers,
  vendorSession,
  type Written,
} from './prepare.ts';
import {elementNode, lookStyle, type Node, type Place, scriptAddress} from './snippet.ts';

const place = document.querySelector('#place') as HTMLElement;
const note = document.querySelector('#note') as HTMLElement;
const signIn = document.querySelector('#sign-in') as HTMLElement;
const members = document.querySelector('#member') as HTMLSelectElement;
const {key, sandbox, offers} = pageData;
const servers: Servers = {key, sandbox: new SandboxClient(sandbox)};
const snippetPlace: Place = {worker: location.origin, platform: sandbox, language: document.documentElement.lang};

let choices = readChoices(new URLSearchParams(location.search), offers);

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
  const written = await prepare();
  if (written === undefined) return say(choices.element);
  if ('session' in written) element.removeAttribute('offer');
  for (const [name, value] of Object.entries(written)) element.setAttribute(name, value);
  place.replaceChildren(element);
  await import(/* @vite-ignore */ scriptAddress(choices, location.origin));
  // In a frame, the element asks for the number, because another page could cover its button.
  if (choices.state === 'recognized' && parent !== window) say('vezne-one-click');
  const silent = note.dataset['silent']?.split(' ') ?? [];
  if (choices.state === '' && silent.includes(choices.element)) say(choices.element);
}

/** The attributes that the merchant's server writes; undefined if there is nothing to show yet. */
async function prepare(): Promise<Written | undefined> {
  const {element, state, fields} = choices;
  if (element === 'vezne-vendor-form') return {session: await vendorSession(servers)};
  if (element === 'vezne-refund-contact') return prepareOrder(servers, 'link');
  if (element === 'vezne-subscription')
    return state === '' ? subscriptionOfMember() : prepareSubscription(servers, state);
  if (state !== '') return rowOf(element).source === 'payment' ? prepareOrder(servers, state) : prepareVisit(servers);
  if (fields.length > 0) await makeOffer(servers, choices, offers);
  return {};
}

let known: readonly Member[] = [];

/** A shopper who signs in at the merchant gets a session for their own subscription. */
async function subscriptionOfMember(): Promise<Written | undefined> {
  const {value} = members;
  known = await readMembers(key);
  members.replaceChildren(
    ...known.map(
      ({subscription, msisdn, state}) => new Option(`${formatNumber(msisdn)} · ${nameOf(state)}`, subscription),
    ),
  );
  signIn.hidden = known.length === 0;
  if (value) members.value = value;
  const member = known.find(({subscription}) => subscription === members.value);
  return member && {session: await managementSession(servers, member.service, member.subscription)};
}

const nameOf = (state: string) => members.dataset[state] ?? state;

members.addEventListener('change', () => {
  place.replaceChildren();
  void start();
});
document.addEventListener('vezne-cancel', async () => {
  known = await readMembers(key);
  const state = known.find(({subscription}) => subscription === members.value)?.state ?? '';
  const [option] = members.selectedOptions;
  if (option) option.text = option.text.replace(/·.*/, `· ${nameOf(state)}`);
});

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
  const next = readChoices(new URLSearchParams(data), offers);
  const isSame = next.element === choices.element && next.state === choices.state;
  if (!isSame || offerName(next) !== offerName(choices)) return location.replace(location.pathname + data);
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

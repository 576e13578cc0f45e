/** The page in the builder's frame: the elements of exactly the snippet that the builder prints, in a state if there is one. */

import '../demo-bar.ts';
import {formatNumber} from '../club/phone.ts';
import {Refused} from '../merchant-server.ts';
import {SandboxClient} from '../sandbox-client.ts';
import {answerWith} from './answers.ts';
import {type Choices, offerName, readChoices} from './choices.ts';
import {rowOf} from './elements.ts';
import {type Member, readMembers} from './members.ts';
import {gapsOf, ownOffer} from './offer.ts';
import {pageData} from './page-data.ts';
import {
  makeOffer,
  managementSession,
  prepareHandoff,
  prepareOrder,
  prepareRefund,
  prepareSubscription,
  prepareVisit,
  type Servers,
  vendorSession,
  type Written,
} from './prepare.ts';
import {readPin} from './releases.ts';
import {elementNode, lookStyle, type Node, type Place, scriptAddress} from './snippet.ts';
import {nameOfState} from './state-names.ts';
import {type Recipe, recipeOf, type Step} from './states.ts';

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
  if (gapsOf(choices, offers, snippetPlace.language).length > 0) return say('incomplete');
  look.replaceSync(lookStyle(choices));
  const {state} = choices;
  const element = build(elementNode(choices, snippetPlace));
  const written = await prepare();
  if (written === undefined) return say(choices.element);
  if ('session' in written) element.removeAttribute('offer');
  for (const [name, value] of Object.entries(written)) element.setAttribute(name, value);
  const recipe = shownRecipe();
  if (recipe) answerWith(recipe.answers ?? {});
  place.replaceChildren(element);
  await import(/* @vite-ignore */ await addressOf(recipe));
  for (const step of recipe?.steps ?? []) await take(step);
  if (recipe?.later) answerWith(recipe.later);
  place.dataset['made'] = state;
  // In a frame, the element asks for the number, because another page could cover its button.
  if (state === 'recognized' && parent !== window) say('vezne-one-click');
  const silent = note.dataset['silent']?.split(' ') ?? [];
  if (state === '' && silent.includes(choices.element)) say(choices.element);
}

/** A marketer who lets the buyer be asked sees the form, and not the step before it. */
const shownRecipe = (): Recipe | undefined =>
  recipeOf(choices.element, choices.state || (choices.fields.length > 0 ? 'no-buyer' : ''));

/**
 * A pinned script has no data, so its elements ask for everything, and get the answers of the state. A browser keeps the
 * newest script for a minute, with the price of the offer, so each version of an offer has an address of its own.
 */
async function addressOf(recipe: Recipe | undefined): Promise<string> {
  const pin = recipe?.answers && (await readPin(rowOf(choices.element).script));
  const address = scriptAddress(choices, location.origin, pin);
  const own = !pin && ownOffer(choices, offers, snippetPlace.language);
  return own ? `${address}&of=${encodeURIComponent(JSON.stringify(own))}` : address;
}

/** What makes another offer. */
const offerKey = (each: Choices) => JSON.stringify([offerName(each), ownOffer(each, offers, snippetPlace.language)]);

/** Where the browser keeps which offer was made last. */
const MADE = 'vezne-builder-offer';

/** A bank or an order that this browser remembers would be shown in the place of the state. */
function forget(offer: string): void {
  const bank = `vezne ${location.origin}`;
  for (const storage of [localStorage, sessionStorage])
    for (const name of Object.keys(storage))
      if (name === bank || (name.startsWith('vezne ') && name.split(' ').includes(offer))) storage.removeItem(name);
}

/** The shopper of an earlier version of the offer has an order with its price. */
function forgetOtherVersion(): void {
  try {
    if (localStorage.getItem(MADE) === offerKey(choices)) return;
    forget(offerName(choices));
    localStorage.setItem(MADE, offerKey(choices));
  } catch {
    // A browser that forbids the storage has kept no order.
  }
}

/** Does what the shopper does, as soon as it is possible. */
async function take([selector, typed]: Step): Promise<void> {
  const target = await until(() => [...elementsIn(place)].find((element) => element.matches(selector)) as HTMLElement);
  if (typed === undefined) return target.click();
  (target as HTMLInputElement).value = typed;
  for (const type of ['input', 'change']) target.dispatchEvent(new Event(type, {bubbles: true}));
}

/** All elements below a node, also those in shadow roots. */
function* elementsIn(within: Element | ShadowRoot): Generator<Element> {
  for (const child of within.children) {
    yield child;
    if (child.shadowRoot) yield* elementsIn(child.shadowRoot);
    yield* elementsIn(child);
  }
}

async function until<T>(read: () => T | undefined): Promise<T> {
  for (;;) {
    const value = read();
    if (value !== undefined) return value;
    await new Promise(requestAnimationFrame);
  }
}

/** The attributes that the merchant's server writes; undefined if there is nothing to show yet. */
async function prepare(): Promise<Written | undefined> {
  const {element} = choices;
  const recipe = shownRecipe();
  const {attributes = {}, returned} = recipe ?? {};
  if (recipe) forget(offerName(choices));
  if (returned) extendAddress(`&vezne-return=${returned}`);
  const own = ownOffer(choices, offers, snippetPlace.language);
  if (own) {
    forgetOtherVersion();
    await makeOffer(servers, offerName(choices), own);
  }
  switch (element) {
    case 'vezne-vendor-form':
      return {session: await vendorSession(servers)};
    case 'vezne-refund-contact':
      return recipe ? {} : prepareRefund(servers);
    case 'vezne-subscription':
      return recipe ? prepareSubscription(servers) : subscriptionOfMember();
    case 'vezne-one-click':
      return recipe ? prepareVisit(servers) : {};
    default:
      break;
  }
  if (!recipe || recipe.isNew || rowOf(element).source !== 'payment') return attributes;
  const {session} = await prepareOrder(servers);
  if (!recipe.isBrought) return {...attributes, session};
  extendAddress(`#vezne=${encodeURIComponent(await prepareHandoff(session))}`);
  return {session: (await prepareOrder(servers)).session};
}

/** The elements take away what they have read. */
const extendAddress = (more: string) => history.replaceState(null, '', location.pathname + location.search + more);

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

const nameOf = (state: string) => nameOfState(state, snippetPlace.language);

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
  } catch (error) {
    if (!(error instanceof Refused)) return say('failure');
    (document.querySelector('#refusal') as HTMLElement).textContent = error.message;
    say('refused');
  }
}

// The builder changes colors and language without a new page, so that the shopper's step stays.
addEventListener('message', ({data, origin}: MessageEvent<unknown>) => {
  if (origin !== location.origin || typeof data !== 'string' || !data.startsWith('?')) return;
  const next = readChoices(new URLSearchParams(data), offers);
  const isSame = next.element === choices.element && next.state === choices.state;
  if (!isSame || offerKey(next) !== offerKey(choices)) return location.replace(location.pathname + data);
  choices = next;
  look.replaceSync(lookStyle(choices));
  const element = place.firstElementChild;
  for (const name of ['lang', 'theme'] as const) {
    if (choices[name]) element?.setAttribute(name, choices[name]);
    else element?.removeAttribute(name);
  }
  // An element without colors of its own does not look for them until it renders.
  for (const shown of elementsIn(place))
    if ('requestUpdate' in shown && typeof shown.requestUpdate === 'function') shown.requestUpdate();
  history.replaceState(null, '', location.pathname + data);
});

void start();

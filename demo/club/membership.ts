/**
 * The page "My subscription": a shopper who signs in at the merchant gets a session to manage their own subscription.
 * The merchant's server knows the ids of subscriptions from events.
 */

import '../demo-bar.ts';
import {type Member, readMembers} from './members.ts';
import {createSession, mountElement} from './merchant-server.ts';
import {formatNumber} from './phone.ts';

const form = document.querySelector('#sign-in') as HTMLFormElement;
const members = document.querySelector('#member') as HTMLSelectElement;
const noMembers = document.querySelector('#no-members') as HTMLElement;
/** What the page calls the subscription, and the link to subscribe again. */
const slots = document.querySelector('#subscription-slots') as HTMLTemplateElement;
const result = document.querySelector('#sign-in-result') as HTMLElement;

/** The seller whom the page shows where a subscriber may have to ask the seller. */
const SELLER = {
  name: 'Fener Atölyesi',
  support_email: 'destek@fener.example',
  support_phone: '0850 000 00 00',
};

const key = form.dataset['key'] ?? '';
let known: readonly Member[] = [];

async function listMembers(): Promise<void> {
  known = await readMembers(key);
  members.replaceChildren(
    ...known.map(
      ({subscription, msisdn, state}) =>
        new Option(`${formatNumber(msisdn)} · ${form.dataset[state] ?? state}`, subscription),
    ),
  );
  form.hidden = known.length === 0;
  noMembers.hidden = !form.hidden;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  result.textContent = '';
  try {
    const service = known.find(({subscription}) => subscription === members.value)?.service;
    const subscription = members.value;
    const management = {kind: 'management', via: 'micropayment', service, subscription, seller: SELLER};
    const session = await createSession(key, management);
    const element = mountElement('vezne-subscription', session);
    element.append(slots.content.cloneNode(true));
    element.addEventListener('vezne-cancel', () => void listMembers());
  } catch {
    result.textContent = form.dataset['wrong'] ?? '';
  }
});

void listMembers();

/**
 * The page "My subscription": a shopper who signs in at the merchant gets a session to manage their own subscription.
 */

import {createSession, mountElement} from './merchant-server.ts';
import {sandboxOf} from './phone-and-funnel.ts';

const form = document.querySelector('#sign-in') as HTMLFormElement;
const members = document.querySelector('#member') as HTMLSelectElement;
const noMembers = document.querySelector('#no-members') as HTMLElement;
const result = document.querySelector('#sign-in-result') as HTMLElement;

async function listMembers(): Promise<void> {
  const subscriptions = await sandboxOf(form).subscriptions();
  members.replaceChildren(
    ...subscriptions.map(
      ({subscription_id, msisdn, status}) =>
        new Option(`0${msisdn} · ${form.dataset[status] ?? status}`, String(subscription_id)),
    ),
  );
  form.hidden = subscriptions.length === 0;
  noMembers.hidden = !form.hidden;
}

form.addEventListener('submit', async (event) => {
  event.preventDefault();
  result.textContent = '';
  try {
    const session = await createSession(form.dataset['key'] ?? '', {
      kind: 'management',
      via: 'micropayment',
      service: 'DEMO',
      subscription: members.value,
    });
    mountElement('vezne-subscription', session).addEventListener('vezne-cancel', () => void listMembers());
  } catch {
    result.textContent = form.dataset['wrong'] ?? '';
  }
});

void listMembers();

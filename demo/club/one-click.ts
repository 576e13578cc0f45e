/** Simulates the mobile network, which knows the visitor's number and adds a token for this number to the URL. */

import {watchJoined} from './joined.ts';
import {openPhone, sandboxOf} from './phone.ts';

openPhone();
watchJoined();

// The network adds a token for the visitor's number to the URL.
if (new URLSearchParams(location.search).has('number_token')) {
  const how = document.querySelector<HTMLElement>('#network-how');
  if (how) how.textContent = how.dataset['known'] ?? '';
}

const form = document.querySelector<HTMLFormElement>('#network');
const result = document.querySelector<HTMLElement>('#network-result');
const field = form?.querySelector('input');

// On a phone, the form is on the panel of the other tab.
document.querySelector('#to-network')?.addEventListener('click', () => {
  document.querySelector<HTMLElement>('.tabs:not([hidden]) [data-panel=side]')?.click();
  field?.focus();
  field?.select();
});

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const msisdn = String(new FormData(form).get('number')).replace(/\D/g, '').slice(-10);
  if (result) result.textContent = '';
  field?.removeAttribute('aria-invalid');
  if (!/^5\d{9}$/.test(msisdn)) {
    field?.setAttribute('aria-invalid', 'true');
    return refuse(form.dataset['wrong']);
  }
  try {
    const url = new URL(location.href);
    url.searchParams.set(
      'number_token',
      await sandboxOf(document.querySelector('.phone') as HTMLElement).issueNumberToken(msisdn),
    );
    location.assign(url);
  } catch {
    refuse(form.dataset['away']);
  }
});

/** Shows why the sandbox issued no number token. */
function refuse(message = ''): void {
  if (result) result.textContent = message;
  field?.focus();
}

/** Simulates the mobile network, which knows the visitor's number and adds a token for this number to the URL. */

import {sandboxOf} from './phone.ts';

/** Connects the form in which the user plays the mobile network. */
export function openNetwork(): void {
  if (new URLSearchParams(location.search).has('number_token')) {
    const how = document.querySelector<HTMLElement>('#network-how');
    if (how) how.textContent = how.dataset['known'] ?? '';
  }

  const form = document.querySelector<HTMLFormElement>('#network');
  const result = document.querySelector<HTMLElement>('#network-result');
  const field = form?.querySelector('input');

  /** Shows why the sandbox issued no number token. */
  const refuse = (message = ''): void => {
    if (result) result.textContent = message;
    field?.focus();
  };

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
      const token = await sandboxOf(document.querySelector('.phone') as HTMLElement).issueNumberToken(msisdn);
      const url = new URL(location.href);
      url.searchParams.set('number_token', token);
      location.assign(url);
    } catch {
      refuse(form.dataset['away']);
    }
  });
}

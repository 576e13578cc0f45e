/** Simulates the mobile network, which knows the visitor's number and adds a token for it to the URL. */

import {openPhoneAndFunnel, sandboxOf} from './phone-and-funnel.ts';

openPhoneAndFunnel();

const form = document.querySelector<HTMLFormElement>('#network');
const result = document.querySelector<HTMLElement>('#network-result');

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const msisdn = String(new FormData(form).get('number')).replace(/\D/g, '').slice(-10);
  try {
    const url = new URL(location.href);
    url.searchParams.set(
      'number_token',
      await sandboxOf(document.querySelector('.phone') as HTMLElement).issueNumberToken(msisdn),
    );
    location.assign(url);
  } catch (error) {
    if (result) result.textContent = (error as Error).message;
  }
});

/** Plays the mobile network: it knows the number of who comes, and adds a token for it to the address. */

import {openPhoneAndFunnel, sandboxOf} from './phone-and-funnel.ts';

openPhoneAndFunnel();

const form = document.querySelector<HTMLFormElement>('#network');
const result = document.querySelector<HTMLElement>('#network-result');

form?.addEventListener('submit', async (event) => {
  event.preventDefault();
  const msisdn = String(new FormData(form).get('number')).replace(/\D/g, '').slice(-10);
  try {
    const address = new URL(location.href);
    address.searchParams.set(
      'number_token',
      await sandboxOf(document.querySelector('.phone') as HTMLElement).issueNumberToken(msisdn),
    );
    location.assign(address);
  } catch (error) {
    if (result) result.textContent = (error as Error).message;
  }
});

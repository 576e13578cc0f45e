/** A page's own consent banner, and its own buttons: the tracker counts them all the same. */

import {openPhoneAndFunnel} from './phone-and-funnel.ts';

declare global {
  interface Window {
    vezne?: {consent(): void; consented?: boolean};
  }
}

openPhoneAndFunnel();

const CONSENT_STORAGE_KEY = 'fener counting';

const banner = document.querySelector('#consent') as HTMLElement;
const answer = savedConsent();
// A page that remembers a consent asks no more, and takes the attribute away.
if (answer === 'yes') document.querySelector('vezne-activity')?.removeAttribute('consent');
banner.hidden = answer !== null;

document.querySelector('#allow')?.addEventListener('click', () => {
  // The tracker may not have come yet.
  window.vezne ??= {
    consent() {
      this.consented = true;
    },
  };
  window.vezne.consent();
  saveConsent('yes');
});
document.querySelector('#refuse')?.addEventListener('click', () => saveConsent('no'));

function saveConsent(given: 'yes' | 'no'): void {
  banner.hidden = true;
  try {
    localStorage.setItem(CONSENT_STORAGE_KEY, given);
  } catch {
    // Where nothing may be kept the page asks again.
  }
}

function savedConsent(): string | null {
  try {
    return localStorage.getItem(CONSENT_STORAGE_KEY);
  } catch {
    return null;
  }
}

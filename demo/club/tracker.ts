/** A page's own consent banner, and its own buttons: the tracker counts them all the same. */

import {openSide} from './phone-and-funnel.ts';

declare global {
  interface Window {
    vezne?: {consent(): void; consented?: boolean};
  }
}

openSide();

const ANSWER = 'fener counting';

const banner = document.querySelector('#consent') as HTMLElement;
const answer = remembered();
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
  settle('yes');
});
document.querySelector('#refuse')?.addEventListener('click', () => settle('no'));

function settle(given: 'yes' | 'no'): void {
  banner.hidden = true;
  try {
    localStorage.setItem(ANSWER, given);
  } catch {
    // Where nothing may be kept the page asks again.
  }
}

function remembered(): string | null {
  try {
    return localStorage.getItem(ANSWER);
  } catch {
    return null;
  }
}

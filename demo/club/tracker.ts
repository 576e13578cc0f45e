/** A page's own consent banner, and its own buttons: the tracker counts them all the same. */
import {openSide} from './side.ts';

declare global {
  interface Window {
    vezne?: {consent(): void; consented?: boolean};
  }
}

openSide();

const ANSWER = 'fener counting';

const banner = document.querySelector('#consent') as HTMLElement;
const answer = localStorage.getItem(ANSWER);
// A page that remembers a consent asks no more, and takes the attribute away.
if (answer === 'yes') document.querySelector('vezne-activity')?.removeAttribute('consent');
banner.hidden = answer !== null;

document.querySelector('#allow')?.addEventListener('click', () => {
  // The tracker may not have come yet.
  window.vezne ??= {consent() { this.consented = true; }};
  window.vezne.consent();
  settle('yes');
});
document.querySelector('#refuse')?.addEventListener('click', () => settle('no'));

function settle(given: 'yes' | 'no'): void {
  localStorage.setItem(ANSWER, given);
  banner.hidden = true;
}

/** A page's own consent banner, and its own buttons: the tracker counts them all the same. */
import {openSide} from './side.ts';

declare global {
  interface Window {
    vezne?: {consent(): void; consented?: boolean};
  }
}

openSide();

const banner = document.querySelector<HTMLElement>('#consent');
document.querySelector('#allow')?.addEventListener('click', () => {
  // The tracker may not have come yet.
  window.vezne ??= {consent() { this.consented = true; }};
  window.vezne.consent();
  if (banner) banner.hidden = true;
});
document.querySelector('#refuse')?.addEventListener('click', () => {
  if (banner) banner.hidden = true;
});

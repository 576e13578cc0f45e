/** A page's own consent banner, and its own buttons: the tracker counts them all the same. */
import {openSide} from './side.ts';

openSide();

const banner = document.querySelector<HTMLElement>('#consent');
document.querySelector('#allow')?.addEventListener('click', () => {
  (window as {vezne?: {consent?(): void}}).vezne?.consent?.();
  if (banner) banner.hidden = true;
});
document.querySelector('#refuse')?.addEventListener('click', () => {
  if (banner) banner.hidden = true;
});

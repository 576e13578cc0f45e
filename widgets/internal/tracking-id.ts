import {attempt} from './attempt.ts';
import {randomId} from './random-id.ts';

/** Under which name the tab keeps its id. */
const KEY = 'vezne tracking';
const LONGEST = 255;

let id = '';

/**
 * The id under which a visit is followed through the funnel: what the campaign wrote into the page's address, else
 * the one this visit had before, else a new one. It is kept for as long as the tab is open; where storage is blocked,
 * as long as the page.
 * @param parameter of the address that carries the campaign's id.
 */
export function trackingId(parameter = 'tracking_id'): string {
  attempt(() => (id ||= sessionStorage[KEY] as string));
  id = new URL(location.href).searchParams.get(parameter)?.replace(/[^!-~]/g, '').slice(0, LONGEST) || id || randomId();
  attempt(() => (sessionStorage[KEY] = id));
  return id;
}

/**
 * Starts one library that replaces parts of a page, and visits landing pages with it: /a, /b, /a again, then /b by the
 * browser's Back. The server serves each landing page whole, as libraries expect.
 */

import {API, calls, until} from './answers.js';

/** @type {Record<string, () => unknown>} */
const LIBRARIES = {
  turbo: () => import('@hotwired/turbo'),
  async htmx() {
    await import('htmx.org');
    await until('htmx', () => document.querySelectorAll('a[data-htmx-powered]').length === 2);
  },
  async swup() {
    const {default: Swup} = await import('swup');
    return new Swup({containers: ['#view'], animationSelector: false, cache: true});
  },
  async barba() {
    const {default: barba} = await import('@barba/core');
    barba.init({transitions: [{leave() {}, enter() {}}]});
  },
  /** An app of one page: it sets the address, and then renders the view. */
  history() {
    document.addEventListener('click', (event) => {
      const link = /** @type {HTMLElement} */ (event.target).closest('a');
      if (!link) return;
      event.preventDefault();
      history.pushState({}, '', link.href);
      showView();
    });
    addEventListener('popstate', showView);
  },
};

function showView() {
  const view = /** @type {HTMLElement} */ (document.querySelector('#view'));
  view.innerHTML = viewOf(location.pathname.slice(-1));
}

/** @param {string} name */
const viewOf = (name) =>
  `<h1>${name}</h1><a href="a">a</a> <a href="b">b</a><vezne-activity offer="club" api="${API}"></vezne-activity>`;

const visits = () => calls.filter(({path}) => path === '/v1/activities').map(({body}) => body.url.slice(-1));

/** @param {string} name @returns {Promise<string[]>} What is not as it must be. */
export async function tryNavigation(name) {
  await LIBRARIES[name]?.();
  await until('the first visit', () => visits().length === 1);
  const steps = [
    ['b', () => document.querySelector('a[href=b]')],
    ['a', () => document.querySelector('a[href=a]')],
    ['b', () => undefined],
  ];
  for (const [page, link] of /** @type {[string, () => HTMLElement | undefined][]} */ (steps)) {
    const anchor = link();
    // htmx prepares the links of a new page after it has shown the page. Before, a press would load the page anew.
    if (name === 'htmx') await until('the link', () => !anchor || anchor.hasAttribute('data-htmx-powered'));
    if (anchor) anchor.click();
    else history.back();
    const isShown = () => document.querySelector('h1')?.textContent === page && location.pathname.endsWith(page);
    await until(`page ${page}`, isShown);
    // A press comes after the visit, if there is one.
    const counted = visits().length;
    const tracker = /** @type {any} */ (document.querySelector('vezne-activity'));
    tracker.record('subscribe_clicked');
    await until('the press', () => visits().length > counted);
  }
  const types = calls
    .filter(({path}) => path === '/v1/activities')
    .map(({body}) => `${body.type} ${body.url.slice(-1)}`);
  const found = types.filter((type) => type.startsWith('visit'));
  const expected = ['visit a', 'visit b', 'visit a', 'visit b'];
  return String(found) === String(expected) ? [] : [`visits: ${found}; expected: ${expected}`];
}

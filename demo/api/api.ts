/** The API page: everything on it comes from the Worker's `/openapi.json`. */

import {ApiDocument, type RawDocument} from './document.ts';
import {element, marked} from './element.ts';
import {messages} from './messages.ts';
import {operationCard} from './operation-card.ts';
import type {Credentials} from './try-form.ts';

const main = find('#api', HTMLElement);
const contents = find('#contents', HTMLElement);
const key = find('#merchant-key', HTMLInputElement);
const session = find('#session', HTMLInputElement);

const bearer: Credentials = {
  token: (access) => ({key: key.value, session: session.value, anyone: ''})[access].trim(),
  saveSession: (token) => {
    session.value = token;
  },
};

async function open(): Promise<void> {
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
    show(new ApiDocument((await response.json()) as RawDocument));
  } catch {
    const again = element('button', {type: 'button', class: 'send'}, messages.again);
    again.addEventListener('click', () => void open());
    main.replaceChildren(element('p', {role: 'alert'}, messages.away), again);
  }
  main.removeAttribute('aria-busy');
}

function show(api: ApiDocument): void {
  const groups = api.groups().filter(({operations}) => operations.length > 0);
  main.replaceChildren(
    element(
      'div',
      {class: 'introduction', lang: 'en'},
      api.description.split('\n\n').map((paragraph) => element('p', {}, marked(paragraph))),
    ),
    ...groups.map(({name, description, operations}) =>
      element(
        'section',
        {'aria-labelledby': anchor(name)},
        element('h2', {id: anchor(name), lang: 'en'}, name),
        element('p', {class: 'quiet', lang: 'en'}, description),
        operations.map((operation) => operationCard(operation, api, bearer)),
      ),
    ),
  );
  contents.replaceChildren(
    element(
      'ul',
      {lang: 'en'},
      groups.map(({name}) => element('li', {}, element('a', {href: `#${anchor(name)}`}, name))),
    ),
  );
  goToHash();
}

/** An address may name an operation: it is opened. */
function goToHash(): void {
  const named = location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) named.open = true;
  named?.scrollIntoView();
}

const anchor = (group: string) => group.toLowerCase().replaceAll(' ', '-');

function find<T extends HTMLElement>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`);
  return found;
}

addEventListener('hashchange', goToHash);
void open();

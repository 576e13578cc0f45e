/** The API page. It shows the operations that the Worker's `/openapi.json` describes. */

import {ApiDocument, type RawDocument} from './document.ts';
import {element, marked} from './element.ts';
import {messages} from './messages.ts';
import {operationCard} from './operation-card.ts';
import {OperationSearch} from './operation-search.ts';
import type {Credentials} from './try-form.ts';

/** The first paragraphs of the introduction are always visible; the rules about retries and commands fold out. */
const OPEN_PARAGRAPHS = 3;

const main = find('#api', HTMLElement);
const contents = find('#contents', HTMLElement);
const key = find('#merchant-key', HTMLInputElement);
const session = find('#session', HTMLInputElement);

const search = new OperationSearch(find('#search', HTMLInputElement), find('#search-result', HTMLElement));

const credentials: Credentials = {
  token: (access) => ({key: key.value, session: session.value, anyone: ''})[access].trim(),
  saveSession: (token) => {
    session.value = token;
  },
};

async function load(): Promise<void> {
  try {
    const response = await fetch('/openapi.json');
    if (!response.ok) throw new Error(`/openapi.json: ${response.status}`);
    show(new ApiDocument((await response.json()) as RawDocument));
  } catch {
    const retry = element('button', {type: 'button', class: 'send'}, messages.retry);
    retry.addEventListener('click', () => void load());
    main.replaceChildren(element('p', {role: 'alert'}, messages.unavailable), retry);
  }
  main.removeAttribute('aria-busy');
}

function show(api: ApiDocument): void {
  const groups = api.groups().filter(({operations}) => operations.length > 0);
  const paragraphs = api.description.split('\n\n').map((paragraph) => element('p', {lang: 'en'}, marked(paragraph)));
  main.replaceChildren(
    element(
      'div',
      {class: 'introduction'},
      ...paragraphs.slice(0, OPEN_PARAGRAPHS),
      element('details', {}, element('summary', {}, messages.moreRules), ...paragraphs.slice(OPEN_PARAGRAPHS)),
    ),
    ...groups.map(({name, description, operations}) =>
      element(
        'section',
        {'aria-labelledby': anchor(name)},
        element('h2', {id: anchor(name), lang: 'en'}, name),
        element('p', {class: 'quiet', lang: 'en'}, marked(description)),
        operations.map((operation) => operationCard(operation, api, credentials)),
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
  search.open(groups.flatMap(({operations}) => operations));
  goToHash();
}

/** Scrolls to the target of the URL's hash, and opens it if it is an operation. */
function goToHash(): void {
  const target = location.hash === '' ? null : document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (target?.closest('[hidden]')) search.clear();
  if (target instanceof HTMLDetailsElement) target.open = true;
  target?.scrollIntoView();
}

const anchor = (group: string) => group.toLowerCase().replaceAll(' ', '-');

function find<T extends HTMLElement>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`);
  return found;
}

addEventListener('hashchange', goToHash);
void load();

/** The page of the API, and of the sandbox's controls: Swagger UI shows a description, with a form to try each operation. */

import SwaggerUI, {type Answer, type Plugin, type Request} from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import './api.css';
import {keepVariant} from './variant.ts';

const api = find('#api', HTMLElement);
/** Whether the page is of the sandbox's controls. */
const isSandbox = new URLSearchParams(location.search).get('of') === 'sandbox';
keepVariant(isSandbox ? 'sandbox' : 'worker');
const description = isSandbox
  ? `${api.dataset['sandbox']}/_sandbox/openapi.json`
  : new URL('/openapi.json', location.href).href;
for (const link of document.querySelectorAll<HTMLAnchorElement>('.api-page nav.aside-links a'))
  if (link.search.includes('of=sandbox') === isSandbox) link.ariaCurrent = 'page';
/** In a form, this value of `Idempotency-Key` means that each request has a key of its own. */
const NEW_KEY = 'new-key-for-each-request';

/** The fields with the keys. The sandbox's controls need no key. */
const [merchantKey, session] = ['merchant-key', 'session'].map((id) =>
  document.querySelector<HTMLInputElement>(`#${id}`),
);

/** Swagger UI is dark if the root element has a class, whatever the browser prefers. */
const darkScheme = matchMedia('(prefers-color-scheme: dark)');
const followScheme = () => document.documentElement.classList.toggle('dark-mode', darkScheme.matches);
darkScheme.addEventListener('change', followScheme);
followScheme();

/** A layout for a page that has a header, and replacements for components that break its policy or its accessibility. */
const layout: Plugin = ({React: {createElement}}) => {
  const inline = (text: string) =>
    text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part) => {
      if (part.startsWith('`')) return createElement('code', null, part.slice(1, -1));
      return part.startsWith('**') ? createElement('strong', null, part.slice(2, -2)) : part;
    });
  // The descriptions have only paragraphs, `code` and **bold** text. The original assigns HTML to `innerHTML`.
  const markdown = (source: unknown) =>
    createElement(
      'div',
      {className: 'renderedMarkdown'},
      ...String(source ?? '')
        .split('\n\n')
        .map((paragraph) => createElement('p', null, ...inline(paragraph))),
    );
  return {
    components: {
      ApiLayout: ({getComponent, specSelectors}) =>
        createElement(
          'div',
          {className: 'swagger-ui'},
          createElement(getComponent('errors', true), null),
          // Folded, because it takes three screens of a phone.
          createElement(
            'details',
            null,
            createElement('summary', null, 'Rules for all requests'),
            markdown(specSelectors.info().get('description')),
          ),
          createElement('h2', null, 'Operations'),
          createElement(getComponent('operations', true), null),
        ),
    },
    wrapComponents: {
      Markdown:
        () =>
        ({source}) =>
          markdown(source),
      // The original is a link inside of the button that opens the operation. That button changes the URL as well.
      DeepLink:
        () =>
        ({text}) =>
          createElement('span', null, text),
      // The page has a field for each key. The original opens a dialog that screen readers do not notice.
      authorizeOperationBtn: () => () => null,
      TextArea: (original) => (properties) => createElement(original, {'aria-label': 'Request body', ...properties}),
      Select: (original) => (properties) =>
        createElement(
          'label',
          null,
          createElement('span', {className: 'visually-hidden'}, 'Value'),
          createElement(original, properties),
        ),
    },
  };
};

/** Changes the description so that the forms can send their first request unchanged. */
function prepareForForms(text: string): unknown {
  return JSON.parse(text, (name, value: unknown) => {
    // Swagger UI compiles patterns without the flag `u`, which `\P{…}` needs.
    if (name === 'pattern' && typeof value === 'string')
      return value.replaceAll(String.raw`\P{Cc}`, String.raw`[^\x00-\x1f\x7f-\x9f]`);
    if (!isParameter(value)) return value;
    if (value.name === 'Idempotency-Key') return {...value, example: NEW_KEY};
    if (value.in !== 'query' || value.required) return value;
    // Swagger UI would send the examples of optional filters, so that hardly any answer would have items.
    const {example: _, ...parameter} = value;
    const {examples: _examples, ...schema} = parameter.schema;
    return {...parameter, schema};
  });
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly example?: unknown;
  readonly schema: {readonly examples?: unknown};
}

const isParameter = (value: unknown): value is Parameter =>
  typeof value === 'object' && value !== null && 'in' in value && 'schema' in value;

function beforeRequest(request: Request): Request {
  if (request.headers['Idempotency-Key'] === NEW_KEY) request.headers['Idempotency-Key'] = crypto.randomUUID();
  return request;
}

function afterAnswer(answer: Answer): Answer {
  const {href, pathname} = new URL(answer.url, location.href);
  if (href === description) return {...answer, text: JSON.stringify(prepareForForms(answer.text))};
  // The operations of pages use the session that was created last.
  if (session && pathname.endsWith('/v1/sessions') && answer.status === 201) {
    session.value = (JSON.parse(answer.text) as {token: string}).token;
    useKeys();
  }
  return answer;
}

const ui = SwaggerUI({
  url: description,
  domNode: api,
  deepLinking: true,
  tryItOutEnabled: true,
  validatorUrl: null,
  defaultModelsExpandDepth: -1,
  syntaxHighlight: {theme: 'obsidian'},
  plugins: [layout],
  layout: 'ApiLayout',
  requestInterceptor: beforeRequest,
  responseInterceptor: afterAnswer,
  onComplete: useKeys,
});

/** Sends what the page's fields contain. */
function useKeys(): void {
  if (merchantKey) ui.preauthorizeApiKey('merchantKey', merchantKey.value.trim());
  if (session) ui.preauthorizeApiKey('session', session.value.trim());
}
for (const field of [merchantKey, session]) field?.addEventListener('input', useKeys);

function find<T extends HTMLElement>(selector: string, type: new () => T): T {
  const found = document.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`The page has no ${selector}.`);
  return found;
}

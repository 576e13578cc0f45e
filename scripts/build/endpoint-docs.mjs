// @ts-check
// Writes docs/endpoints.md from the API description: one line for each endpoint, and one for each object that several
// endpoints use. A field that is added or removed changes a line, which a review shows.

import {browserEndpoints} from '../../worker/contract/browser/endpoints.ts';
import {openApiDocument} from './openapi.mjs';

/** @typedef {{[key: string]: any}} Schema */

/** @type {Record<string, import('../../worker/contract/endpoint.ts').PageEndpoint>} */
const browserRows = browserEndpoints;

const INTRODUCTION = `# Endpoints

\`npm run describe\` writes this page from the contract, so that a review shows which endpoints and fields a change adds
or removes. \`/openapi.json\` of a Worker has types, texts, examples and error codes.

Access is the scope that an API key needs, or the session that a page needs; \`page\` is any allowed page. In a list of
fields, \`?\` marks one that may be missing, \`{}\` an object with these fields, \`[]\` a list, and \`/\` stands between
alternatives. A capitalized name is one of the [objects](#objects) at the end.
`;

/** @returns {string} The text of docs/endpoints.md. */
export function endpointDocs() {
  const {paths, components, webhooks} = /** @type {Schema} */ (openApiDocument());
  const everywhere = JSON.stringify([paths, components.schemas, webhooks]);
  /** The fields of each object with a line of its own. @type {Map<string, string>} */
  const objects = new Map();

  /** An object that is used once is shown where it is used, unless a union names it. @param {string} name */
  const isShared = (name) => everywhere.split(`"#/components/schemas/${name}"`).length > 2;

  /** What stands for a value; nothing for a text, a number or a boolean. @param {Schema} schema @returns {string} */
  function shape({$ref, properties, items, anyOf, oneOf, ...schema}) {
    if (properties) return `{${fieldsOf({properties, ...schema})}}`;
    if (items) return `${shape(items).replace(/.* \/ .*/, '($&)')}[]`;
    const options = (anyOf ?? oneOf)?.map(shape) ?? [];
    if (!$ref) return [...new Set(options)].filter(Boolean).join(' / ');
    const name = $ref.split('/').at(-1);
    const schemaOfName = components.schemas[name];
    if (!isShared(name)) return shape(schemaOfName);
    if (!objects.has(name)) {
      objects.set(name, '');
      objects.set(name, fieldsOf(schemaOfName));
    }
    return name;
  }

  /** The fields of an object, without braces. @param {Schema} schema @returns {string} */
  function fieldsOf(schema) {
    if (!schema['properties']) return shape(schema);
    const fields = Object.entries(schema['properties']).map(([name, field]) => {
      const value = field.const === undefined ? shape(field) : `= ${field.const}`;
      return `${name}${schema['required']?.includes(name) ? '' : '?'}${value.startsWith('[') ? '' : ' '}${value}`.trim();
    });
    return fields.join(', ');
  }

  /** @param {Schema} [content] */
  function bodyOf(content = {}) {
    const [[media, {schema = {}}] = ['', {}]] = Object.entries(content);
    if (media !== 'application/json') return media;
    const name = schema.$ref?.split('/').at(-1);
    return name && !isShared(name) ? fieldsOf(components.schemas[name]) : shape(schema);
  }

  /** @param {Schema} operation */
  function inputOf({parameters = [], requestBody}) {
    const fields = parameters.flatMap((/** @type {Schema} */ {name, required}) =>
      name ? [`${name}${required ? '' : '?'}`] : [],
    );
    return [...fields, bodyOf(requestBody?.content)].filter(Boolean).join(', ');
  }

  /** @param {Schema} operation */
  const answerOf = ({responses}) =>
    Object.entries(responses)
      .filter(([status]) => /^[12]/.test(status))
      .map(([status, {content}]) => `${status} ${code(bodyOf(content))}`.replace(/^200 /, '').trim())
      .join(' · ');

  /** @param {string} title @param {boolean} isMerchant */
  function api(title, isMerchant) {
    const chosen = Object.entries(paths).filter(([path]) => path.startsWith('/merchant/') === isMerchant);
    const rows = chosen.flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [
        code(`${method.toUpperCase()} ${path}`),
        accessOf(operation),
        code(inputOf(operation)),
        answerOf(operation),
      ]),
    );
    return table(title, ['endpoint', 'access', 'input', 'answer'], rows);
  }

  const apis = [api('Merchant API', true), api('Browser API', false)];
  const rows = [...objects].sort(([a], [b]) => (a < b ? -1 : 1)).map((cells) => cells.map(code));
  return [INTRODUCTION, ...apis, table('Objects', ['object', 'fields'], rows)].join('\n');
}

/** @param {string} text */
const code = (text) => (text === '' ? '' : `\`${text}\``);

/** @param {Schema} operation */
function accessOf({operationId, security}) {
  const {merchantKey} = security[0] ?? {};
  if (merchantKey) return merchantKey[0] ?? 'any key';
  const {session, access = 'page'} = browserRows[operationId] ?? {access: 'anyone'};
  return session ? `${session} session` : access;
}

/** @param {readonly string[]} cells */
const row = (cells) => `| ${cells.join(' | ')} |\n`;

/** @param {string} title @param {readonly string[]} columns @param {readonly (readonly string[])[]} rows */
const table = (title, columns, rows) =>
  `## ${title}\n\n${row(columns)}|${'---|'.repeat(columns.length)}\n${rows.map(row).join('')}`;

// @ts-check
// Samples of each endpoint in the API description (`x-codeSamples`), made from the endpoint's example: curl, TypeScript
// and PHP. What only a page calls has no PHP, because the limits of a shopper's network would count the server.

/** The variable with the token of each security scheme. @type {Record<string, string>} */
const VARIABLES = {merchantKey: 'VEZNE_KEY', session: 'SESSION'};

/** @typedef {{brackets: string, indent: string, field: (name: string) => string}} Syntax */
/** @type {Syntax} */
const TYPESCRIPT = {brackets: '{}', indent: '  ', field: (name) => `${/^\w+$/.test(name) ? name : quoted(name)}: `};
/** @type {Syntax} */
const PHP = {brackets: '[]', indent: '    ', field: (name) => `${quoted(name)} => `};

/** A string of TypeScript or PHP. @param {string} text */
const quoted = (text) => `'${text.replaceAll(/[\\']/g, '\\$&')}'`;
/** @param {string} text */
const shellQuoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** A value, in one line where it fits. @param {unknown} value @param {Syntax} syntax @param {string} [indent] @returns {string} */
function literal(value, syntax, indent = '') {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const [open, close] = Array.isArray(value) ? '[]' : syntax.brackets;
  const inner = indent + syntax.indent;
  const parts = Object.entries(value).map(
    ([name, each]) => (Array.isArray(value) ? '' : syntax.field(name)) + literal(each, syntax, inner),
  );
  const line = `${open}${parts.join(', ')}${close}`;
  if (indent.length + line.length < 90 && !line.includes('\n')) return line;
  return `${open}\n${parts.map((part) => `${inner}${part},\n`).join('')}${indent}${close}`;
}

/**
 * Adds the samples to each endpoint, except to the one that opens a WebSocket.
 * @param {{paths?: object}} document
 * @param {Record<string, {input?: object, client?: string}>} examples - By `operationId`: what the sample sends, and the
 *   method of `vezne/merchant`.
 */
export function addSamples({paths = {}}, examples) {
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if ('101' in operation.responses) continue;
      const {input = {}, client} = examples[operation.operationId] ?? {};
      const request = requestOf(method.toUpperCase(), path, operation, Object.entries(input));
      const typescript = client ? withClient(client, input, request) : withFetch(request);
      const isForServers = path.startsWith('/merchant/') || (method === 'get' && operation.security.length === 0);
      operation['x-codeSamples'] = [
        {lang: 'Shell', label: 'curl', source: curl(request)},
        {lang: 'TypeScript', label: 'TypeScript', source: typescript},
        ...(isForServers ? [{lang: 'PHP', label: 'PHP', source: php(request)}] : []),
      ];
    }
  }
}

/** @param {string} method @param {string} path @param {Record<string, any>} operation @param {[string, any][]} input */
function requestOf(method, path, {operationId, security, parameters = [], requestBody}, input) {
  const rest = Object.fromEntries(input.filter(([name]) => !path.includes(`{${name}}`)));
  const filled = input.reduce((text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)), path);
  const query = method === 'GET' ? new URLSearchParams(rest).toString() : '';
  const variable = VARIABLES[Object.keys(security[0] ?? {})[0] ?? ''];
  const isWrite = parameters.some((/** @type {{$ref?: string}} */ {$ref}) => $ref?.endsWith('IdempotencyKey'));
  const [, id = 1] = input.find(([name]) => /^(?:order|id)$/.test(name)) ?? [];
  const headers = {
    ...(variable && {authorization: `Bearer $${variable}`}),
    ...(isWrite && {'idempotency-key': `${operationId}-${id}`}),
    ...(requestBody && {'content-type': 'application/json'}),
  };
  return {
    method,
    url: `https://pay.shop.example${filled}${query && `?${query}`}`,
    variable,
    headers,
    body: requestBody && rest,
  };
}

/** @typedef {ReturnType<typeof requestOf>} Request */

/** Headers in double quotes, in which a shell and PHP insert `$NAME`. @param {Record<string, string>} headers */
const headerTexts = (headers) => Object.entries(headers).map(([name, value]) => `"${name}: ${value}"`);

/** @param {Request} request */
function curl({method, url, variable, headers, body}) {
  const fromPage = variable !== 'VEZNE_KEY' && method === 'POST' ? {origin: 'https://shop.example'} : {};
  return [
    `curl ${method === (body ? 'POST' : 'GET') ? '' : `-X ${method} `}${shellQuoted(url)}`,
    ...headerTexts({...headers, ...fromPage}).map((text) => `-H ${text}`),
    ...(body ? [`-d ${shellQuoted(JSON.stringify(body))}`] : []),
  ].join(' \\\n  ');
}

/** @param {string} method @param {object} input @param {Request} request */
function withClient(method, input, {headers}) {
  const idempotencyKey = headers['idempotency-key'];
  const isGiven = Object.keys(input).length > 0 || idempotencyKey;
  const given = [...(isGiven ? [input] : []), ...(idempotencyKey ? [{idempotencyKey}] : [])];
  const [first = '', ...more] = given.map((each) => literal(each, TYPESCRIPT, given.length > 1 ? '  ' : ''));
  return `import {Vezne} from 'vezne/merchant';

const vezne = new Vezne({url: 'https://pay.shop.example', key: process.env.VEZNE_KEY});
const answer = await vezne.${method}(${more.length > 0 ? `\n  ${first},\n  ${more.join('')},\n` : first});`;
}

/** @param {Request} request */
function withFetch({method, url, variable, headers, body}) {
  const texts = Object.entries(headers).map(
    ([name, value]) => `${TYPESCRIPT.field(name)}\`${value.replace(/\$(\w+)/, '$${$1}')}\``,
  );
  return [
    ...(variable ? [`const ${variable} = '…';`] : []),
    `const response = await fetch('${url}', {`,
    `  method: '${method}',`,
    `  headers: {${texts.join(', ')}},`,
    ...(body ? [`  body: JSON.stringify(${literal(body, TYPESCRIPT, '  ')}),`] : []),
    '});\nif (!response.ok) throw new Error(await response.text());',
  ].join('\n');
}

/** @param {Request} request */
function php({method, url, variable, headers, body}) {
  const isEmpty = body && Object.keys(body).length === 0;
  return [
    '<?php',
    ...(variable ? [`$${variable} = getenv('${variable}');`] : []),
    `$request = curl_init('${url}');`,
    'curl_setopt_array($request, [',
    '    CURLOPT_RETURNTRANSFER => true,',
    `    CURLOPT_CUSTOMREQUEST => '${method}',`,
    `    CURLOPT_HTTPHEADER => [${headerTexts(headers).join(', ')}],`,
    ...(body ? [`    CURLOPT_POSTFIELDS => ${isEmpty ? "'{}'" : `json_encode(${literal(body, PHP, '    ')})`},`] : []),
    ']);\n$answer = curl_exec($request);\n$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);',
  ].join('\n');
}

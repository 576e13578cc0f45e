// @ts-check
// Writes the generated part of the client `vezne/merchant` from the rows of the contract: the types, and a class for each
// resource with a method for each endpoint.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import * as z from 'zod/mini';
import {endpoints} from '../../worker/contract/merchant/endpoints.ts';
import {RESOURCES} from '../../worker/contract/merchant/resources.ts';
import {scopeCode, SCOPES} from '../../worker/contract/merchant/scopes.ts';
import {operations} from '../../worker/platform/operations/index.ts';
import {repoPath} from '../lib/repo.mjs';
import {contractTypes} from './contract-types.mjs';
import {COMMAND_CODES, COMMON_CODES, INPUT_CODES, KEY_CODES, PLATFORM_CODES, WRITE_CODES} from './openapi-problems.mjs';

/** @typedef {import('../../worker/contract/endpoint.ts').MerchantRow} Endpoint */

/** git ignores this folder. Whatever needs its files writes them first, in less than a second. */
const FOLDER = repoPath('merchant', 'generated');

/** Writes the generated sources. */
export async function writeClientSources() {
  mkdirSync(FOLDER, {recursive: true});
  writeIfChanged(path.join(FOLDER, 'contract.ts'), await contractTypes());
  writeIfChanged(path.join(FOLDER, 'client.ts'), clientText());
}

/** A file that would not change is left alone, because another step may be reading it. @param {string} file @param {string} text */
export function writeIfChanged(file, text) {
  if (read(file) !== text) writeFileSync(file, text);
}

/** @param {string} file */
function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

const rows = Object.entries(/** @type {Readonly<Record<string, Endpoint>>} */ (endpoints));
/** @param {string} resource */
const rowsOf = (resource) => rows.filter(([, {docs}]) => docs.client.startsWith(`${resource}.`));
/** @param {Endpoint} row */
const methodOf = ({docs}) => docs.client.split('.')[1];

/**
 * The client's README with its table of methods.
 * @param {string} text
 */
export function clientReadme(text) {
  const table = Object.keys(RESOURCES).map(
    (name) =>
      `| \`${name}\` | ${rowsOf(name)
        .map(([, row]) => `\`${methodOf(row)}\``)
        .join(' ')} |\n`,
  );
  return text.replace(/(?<=\| resource \| methods \|\n\|---\|---\|\n)(?:\|.*\n)+/, table.join(''));
}

/** @param {string} resource */
const className = (resource) => `${resource[0]?.toUpperCase()}${resource.slice(1)}`;

function clientText() {
  const names = Object.keys(RESOURCES);
  const classes = Object.entries(RESOURCES).map(([resource, {about}]) => {
    const methods = rowsOf(resource).map(methodText);
    return `${comment([about], '')}export class ${className(resource)} extends Resource {\n${methods.join('\n')}}\n`;
  });
  return `// Written by scripts/build/client-source.mjs from worker/contract/merchant/.

import {createCall} from '../http.ts';
import type {CallOptions, VezneOptions, WriteOptions} from '../options.ts';
import type {Search} from '../pagination.ts';
import {Resource} from '../resource.ts';
import type {Answers, Inputs, QueuedCommand} from './contract.ts';

${classes.join('\n')}
${comment(VEZNE, '')}export class Vezne {
${names.map((name) => `  readonly ${name}: ${className(name)};\n`).join('')}
  /** @throws {TypeError} if an option is missing or invalid. */
  constructor(options: VezneOptions) {
    const call = createCall(options);
${names.map((name) => `    this.${name} = new ${className(name)}(call);\n`).join('')}  }
}
`;
}

/**
 * The method that calls an endpoint. A list or search returns a \`Search\`. A method for sessions infers the kind of the
 * answer from the kind of the input, and a command that may be queued says when its answer is a \`QueuedCommand\`.
 * @param {[string, Endpoint]} endpoint
 */
function methodText([name, row]) {
  const {method, path: address, operation, write, queues, input, docs} = row;
  const fields = input instanceof z.ZodMiniObject ? Object.values(input.shape) : null;
  const isPaged = docs.answer instanceof z.ZodMiniObject && 'next_cursor' in docs.answer.shape;
  const kind = input instanceof z.ZodMiniDiscriminatedUnion && docs.answer instanceof z.ZodMiniDiscriminatedUnion;
  const [given, answered] = [`Inputs['${name}']`, `Answers['${name}']`];
  const optional = fields?.every((field) => z.safeParse(field, undefined).success) ? ' = {}' : '';
  const options = `options?: ${write ? 'WriteOptions' : 'CallOptions'}`;
  const signature = (/** @type {string} */ type, /** @type {string} */ answer) =>
    `  ${methodOf(row)}(${fields?.length === 0 ? '' : `input: ${type}${optional}, `}${options}): ${isPaged ? 'Search' : 'Promise'}<${answer}>`;
  const route = `{method: '${method}', path: '${address.replace('/merchant/v1/', '')}', write: ${write === true}}`;
  const call = `this.${isPaged ? 'pages' : 'call'}(${route}, ${fields?.length === 0 ? '{}' : 'input'}, options)`;
  const either = `${answered} | QueuedCommand`;
  const K = `K extends ${given}['kind']`;
  const about = comment(
    [
      docs.summary,
      ...(docs.description?.split('\n\n') ?? []),
      `\`${method} ${address}\`${operation ? ` (${operations[operation].spec})` : ''}`,
    ],
    '  ',
    docs.codes.length > 0 ? `@throws {VezneError} ${docs.codes.map((code) => `\`${code}\``).join(' ')}` : undefined,
  );
  const head = kind
    ? `  ${methodOf(row)}<${K}>(input: {kind: K} & Extract<${given}, {kind: K}>, ${options}): Promise<Extract<${answered}, {kind: K}>>`
    : queues
      ? [
          `${signature(`${given} & {readonly when_exhausted?: 'refuse'}`, answered)};`,
          `${signature(given, either)};`,
          signature(given, either),
        ].join('\n')
      : signature(given, answered);
  return `${about}${head} {\n    return ${call};\n  }\n`;
}

const codes = (/** @type {readonly string[]} */ list) => list.map((code) => `\`${code}\``).join(', ');
/** The client always sends an idempotency key. */
const writeCodes = WRITE_CODES.filter((code) => code !== 'idempotency_key_missing');

const VEZNE = [
  'Client for the merchant API of a Vezne Worker, with one method per endpoint.',
  `\`\`\`ts
const vezne = new Vezne({url: 'https://pay.shop.example', key: process.env.VEZNE_KEY});
const {token} = await vezne.sessions.create({
  kind: 'payment', origin: 'https://shop.example', service: 'SHOP', order: 'S-1009', amount: '149.90',
});
\`\`\``,
  'Inputs and answers have the format of the API: snake_case, ids as text, amounts as decimal text in lira ' +
    '(`"149.90"`), times as ISO 8601 with `+03:00`. A method that fails rejects with a `VezneError`, or with the ' +
    'reason of the signal that you passed. The comment of a method names the section of the platform’s spec in ' +
    'parentheses, such as `orders 4.2`. It also lists the error codes that are specific to the method.',
  `In addition, any call may fail with ${codes([...new Set([...KEY_CODES, ...INPUT_CODES, ...PLATFORM_CODES, ...COMMON_CODES])])}. ` +
    `A call whose API key lacks a scope fails with ${codes([...SCOPES, /** @type {const} */ ('root')].map(scopeCode))}. Any write may also fail with ` +
    `${codes([...writeCodes, 'outcome_unknown'])}. A command (a write that moves money or ends something) may also ` +
    `fail with ${codes(COMMAND_CODES)}.`,
];

/**
 * A doc comment of paragraphs, in lines of at most 120 characters.
 * @param {readonly string[]} paragraphs
 * @param {string} indent
 * @param {string} [tag]
 */
function comment(paragraphs, indent, tag) {
  const width = 117 - indent.length;
  const text = [paragraphs.map((each) => wrap(each, width)).join('\n\n'), ...(tag ? [wrap(tag, width)] : [])].join(
    '\n',
  );
  if (!text.includes('\n')) return `${indent}/** ${text} */\n`;
  return `${indent}/**\n${text.replaceAll(/^/gm, `${indent} * `).replaceAll(/ +$/gm, '')}\n${indent} */\n`;
}

/** Breaks a text into lines, but not within code. @param {string} text @param {number} width */
function wrap(text, width) {
  if (text.includes('\n')) return text;
  let lines = '';
  let length = width;
  for (const word of text.match(/(?:`[^`]*`|[^\s`])+/g) ?? []) {
    const fits = length + word.length < width;
    length = fits ? length + 1 + word.length : word.length;
    lines += `${lines && (fits ? ' ' : '\n')}${word}`;
  }
  return lines;
}

// @ts-check
// Asks for the settings of a Worker, checks each answer with the Worker's own parser, and writes the operator's file.

import {existsSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import readline from 'node:readline';
import {parseArgs} from 'node:util';
import {explainWebhookUrl} from '../../worker/config/webhook-address.ts';
import {findMistakes, withStoredSecrets} from './mistakes.mjs';
import {ownFile} from './own-configuration.mjs';
import {root, UserError} from './repo.mjs';

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string} [preset] The answer if the operator gives no answer. A question without a preset must be answered.
 * @property {string} example A valid answer.
 */

/** By the name of the flag. @type {Readonly<Record<string, Question>>} */
const QUESTIONS = {
  name: {text: 'Name of the Worker at Cloudflare', preset: 'vezne', example: 'vezne'},
  domain: {
    text: 'Domain of the Worker, such as pay.shop.example (empty: it runs on workers.dev for now)',
    preset: '',
    example: 'pay.shop.example',
  },
  'phs-url': {
    text: "The platform's address for orders, which ends in /phs",
    example: 'https://platform.example/phs',
  },
  'merchant-id': {text: 'Your merchant id at the platform', example: '1'},
  'merchant-ip': {
    text: 'The IP address that you registered at the platform',
    example: '192.0.2.1',
  },
  service: {text: 'The code of your service at the platform', example: 'SHOP'},
  origins: {
    text: 'The origins of your pages, such as https://shop.example, separated by spaces',
    example: 'https://shop.example',
  },
  offer: {text: 'A short name for your first offer, such as lamp', example: 'lamp'},
  amount: {text: 'Its price in TRY, such as 149.90', example: '1'},
  'title-tr': {text: 'Its title in Turkish', example: 'x'},
  'title-en': {text: 'Its title in English', example: 'x'},
  seller: {text: 'The name of your shop, as shoppers know it (empty: pages show none)', preset: '', example: 'x'},
  'support-email': {
    text: 'The e-mail address to which shoppers write about an order (empty: none)',
    preset: '',
    example: 'help@shop.example',
  },
  'support-phone': {
    text: 'The phone number that shoppers call about an order (empty: none)',
    preset: '',
    example: '0850 000 00 00',
  },
  'webhook-url': {
    text: 'Where your server receives events (empty: it reads them with the merchant API)',
    preset: '',
    example: '',
  },
};

/** @typedef {Record<string, string>} Answers */

/** The offer's seller; null if it has no name. @param {Answers} answers */
function sellerOf({seller: name, 'support-email': email, 'support-phone': phone}) {
  return name ? {name, ...(email && {support_email: email}), ...(phone && {support_phone: phone})} : null;
}

/** @param {Answers} answers */
function toVars(answers) {
  const {service = '', offer = '', 'webhook-url': webhookUrl} = answers;
  const seller = sellerOf(answers);
  return {
    PHS_URL: answers['phs-url'],
    MERCHANT_ID: answers['merchant-id'],
    MERCHANT_IP: answers['merchant-ip'],
    ALLOWED_ORIGINS: answers['origins'],
    ...(webhookUrl && {WEBHOOK_URL: webhookUrl}),
    SERVICES: {[service]: {}},
    OFFERS: {
      [offer]: {
        kind: 'payment',
        service,
        amount: answers['amount'],
        title: {tr: answers['title-tr'], en: answers['title-en']},
        ...(seller && {seller}),
      },
    },
  };
}

/**
 * What is wrong with one answer; null if it is right.
 * @param {string} flag
 * @param {string} answer
 */
function mistakeOf(flag, answer) {
  if (flag === 'name' && !/^[a-z0-9][a-z0-9-]{0,53}$/.test(answer))
    return 'Expected lowercase letters, digits and hyphens.';
  if (flag === 'domain' && answer !== '' && !/^([a-z0-9-]+\.)+[a-z]{2,}$/.test(answer))
    return 'Expected the name of a host, such as pay.shop.example.';
  // A name with other characters would need quotes in the TOML file.
  if (flag === 'offer' && !/^[\w-]{1,64}$/.test(answer)) return 'Expected 1 to 64 letters, digits, - and _.';
  if (flag === 'service' && answer === '') return 'Expected a code.';
  if (flag === 'webhook-url' && answer !== '') return explainWebhookUrl(answer, false);
  const examples = Object.fromEntries(Object.entries(QUESTIONS).map(([name, {example}]) => [name, example]));
  const [mistake] = findMistakes(withStoredSecrets(toVars({...examples, [flag]: answer})));
  return mistake === undefined ? null : mistake.slice(mistake.indexOf(': ') + 2);
}

/** Reads the flags. Asks for the other answers in a terminal, or if no flag is given. @returns {Promise<Answers>} */
async function readAnswers() {
  const flags = readFlags();
  const isAsking = process.stdin.isTTY || Object.keys(flags).length === 0;
  const lines = readline.createInterface({input: process.stdin})[Symbol.asyncIterator]();
  /** @type {Answers} */
  const answers = {};
  const wrong = [];
  for (const [flag, question] of Object.entries(QUESTIONS)) {
    const given = flags[flag] ?? (isAsking ? undefined : question.preset);
    const mistake = given === undefined ? 'This is missing.' : mistakeOf(flag, given);
    if (given !== undefined && mistake === null) answers[flag] = given;
    else if (isAsking) answers[flag] = await ask(flag, question, lines);
    else wrong.push(`--${flag}: ${mistake}`);
  }
  if (wrong.length > 0) throw new UserError(`${wrong.join('\n')}\n${HELP}`);
  return answers;
}

/**
 * Asks until the answer is right.
 * @param {string} flag
 * @param {Question} question
 * @param {AsyncIterator<string>} lines
 */
async function ask(flag, {text, preset}, lines) {
  for (;;) {
    process.stdout.write(`${text}${preset ? ` [${preset}]` : ''}: `);
    const {value, done} = await lines.next();
    if (done) throw new UserError(`\nNo answer to --${flag}. ${HELP}`);
    const answer = value.trim() || preset || '';
    const mistake = mistakeOf(flag, answer);
    if (mistake === null) return answer;
    console.log(`  ${mistake}`);
  }
}

const HELP = '`npm run init -- --help` lists all flags.';

/** @returns {Record<string, string | undefined>} */
function readFlags() {
  try {
    const options = Object.fromEntries(
      Object.keys(QUESTIONS).map((flag) => [flag, {type: /** @type {const} */ ('string')}]),
    );
    return parseArgs({args: process.argv.slice(2), options}).values;
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${HELP}`);
  }
}

/** The path of the operator's file, for a command line in the repository's folder. */
const shownFile = () => (path.dirname(ownFile()) === path.resolve(root) ? path.basename(ownFile()) : ownFile());

/** JSON text is TOML text. @param {string | undefined} value */
const quote = (value) => JSON.stringify(value);

/** @param {Answers} answers */
function toToml(answers) {
  const {name, domain, service, offer} = answers;
  const address = domain
    ? `routes = [{pattern = ${quote(domain)}, custom_domain = true}]\nworkers_dev = false\npreview_urls = false`
    : '# Give the Worker a domain of its own before you go live (docs/deploy.md).\nworkers_dev = true';
  const seller = Object.entries(sellerOf(answers) ?? {}).map(([field, value]) => `${field} = ${quote(value)}`);
  const webhook = answers['webhook-url'] ? `WEBHOOK_URL = ${quote(answers['webhook-url'])}\n` : '';
  return `# Your settings, on top of wrangler.toml. git ignores this file; keep a copy of it. docs/deploy.md lists all settings.
# Secrets never belong here: npx wrangler secret put NAME -c ${shownFile()}
name = ${quote(name)}
${address}

[vars]
PHS_URL = ${quote(answers['phs-url'])}
MERCHANT_ID = ${quote(answers['merchant-id'])}
MERCHANT_IP = ${quote(answers['merchant-ip'])}
ALLOWED_ORIGINS = ${quote(answers['origins'])}
${webhook}
[vars.SERVICES]
${quote(service)} = {}

[vars.OFFERS.${offer}]
kind = "payment"
service = ${quote(service)}
amount = ${quote(answers['amount'])}
title = {tr = ${quote(answers['title-tr'])}, en = ${quote(answers['title-en'])}}
${seller.length > 0 ? `seller = {${seller.join(', ')}}\n` : ''}`;
}

/** @param {Answers} answers @param {string} file */
function nextSteps(answers, file) {
  const secrets = [
    'MERCHANT_KEY',
    'SESSION_SECRET',
    'MERCHANT_API_KEY',
    ...(answers['webhook-url'] ? ['WEBHOOK_SECRET'] : []),
  ];
  return [
    `Wrote ${file}. Next:`,
    ...secrets.map((name) => `  npx wrangler secret put ${name} -c ${file}`),
    '  npm run deploy',
  ].join('\n');
}

try {
  if (process.argv.includes('--help')) {
    console.log(
      Object.entries(QUESTIONS)
        .map(([flag, {text}]) => `--${flag.padEnd(12)} ${text}`)
        .join('\n'),
    );
  } else {
    const file = shownFile();
    if (existsSync(ownFile())) throw new UserError(`${file} exists: edit it, or move it away first.`);
    const answers = await readAnswers();
    writeFileSync(ownFile(), toToml(answers), {flag: 'wx'});
    console.log(nextSteps(answers, file));
  }
} catch (error) {
  console.error(error instanceof UserError ? error.message : error);
  process.exitCode = 1;
}
// Standard input may stay open, which would keep this process running.
process.exit();

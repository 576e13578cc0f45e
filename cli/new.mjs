// @ts-check
// `vezne new my-shop`: asks for the settings of a Worker, checks each answer with the Worker's own parser, makes the
// secrets that are the shop's own, and writes a project: `vezne.toml`, `.dev.vars`, `package.json` and `.gitignore`. With
// `--sandbox` it asks nothing. `npm run init` does the same in a clone, without the last two files.

import {randomBytes} from 'node:crypto';
import {existsSync, mkdirSync, readdirSync, writeFileSync} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import readline from 'node:readline';
import {Writable} from 'node:stream';
import {parseArgs} from 'node:util';
import {findMistakes, withStoredSecrets} from './mistakes.mjs';
import {print} from './print.mjs';
import {isClone, manifest, ownFile, projectPath, secretsFile, shown, UserError} from './project.mjs';
import {toDotenv, writePrivateFile} from './secrets.mjs';
import {ASKED_SETTINGS, explainWebhookUrl} from './worker-config.mjs';

/** @typedef {import('./worker-config.mjs').AskedSetting} Asked */

/**
 * @typedef {object} Question
 * @property {string} text
 * @property {string} [preset] The answer if the operator gives no answer. A question without a preset must be answered.
 * @property {string} example A valid answer.
 */

/** The questions that belong to one setting, by the name of the flag. @param {(asked: Asked) => boolean} isChosen */
const questionsOf = (isChosen) =>
  Object.fromEntries(
    ASKED_SETTINGS.filter(isChosen).map(({flag, text, example, isNeeded}) => [
      flag,
      {text, example, ...(!isNeeded && {preset: ''})},
    ]),
  );

/** By the name of the flag. @type {Readonly<Record<string, Question>>} */
const QUESTIONS = {
  name: {text: 'Name of the Worker at Cloudflare', preset: 'vezne', example: 'vezne'},
  domain: {
    text: 'Domain of the Worker, such as pay.shop.example (empty: it runs on workers.dev for now)',
    preset: '',
    example: 'pay.shop.example',
  },
  ...questionsOf(({isNeeded}) => isNeeded),
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
  ...questionsOf(({isNeeded}) => !isNeeded),
};

/** @typedef {Record<string, string>} Answers */

/** The offer's seller; null if it has no name. @param {Answers} answers */
function sellerOf({seller: name, 'support-email': email, 'support-phone': phone}) {
  return name ? {name, ...(email && {support_email: email}), ...(phone && {support_phone: phone})} : null;
}

/** @param {Answers} answers */
function toVars(answers) {
  const {service = '', offer = ''} = answers;
  const seller = sellerOf(answers);
  const asked = ASKED_SETTINGS.filter(({flag, isNeeded}) => isNeeded || answers[flag]);
  return {
    ...Object.fromEntries(asked.map(({name, flag}) => [name, answers[flag]])),
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

/** @typedef {{folder: string | undefined, sandbox: boolean | undefined, flags: Answers}} Given */

/** @param {string[]} args @returns {Given} */
function readFlags(args) {
  const text = /** @type {const} */ ({type: 'string'});
  const yes = /** @type {const} */ ({type: 'boolean'});
  try {
    const {values, positionals} = parseArgs({
      args,
      options: {...Object.fromEntries(Object.keys(QUESTIONS).map((flag) => [flag, text])), sandbox: yes},
      allowPositionals: !isClone,
    });
    if (positionals.length > 1) throw new UserError(`Name one folder, not ${positionals.length}.`);
    const {sandbox, ...flags} = /** @type {Record<string, any>} */ (values);
    return {folder: positionals[0], sandbox, flags};
  } catch (error) {
    throw new UserError(`${error instanceof Error ? error.message : error}\n${HELP}`);
  }
}

const HELP = `\`${shown('new')}${isClone ? ' --' : ''} --help\` lists all flags.`;

/** What `--sandbox` answers. The platform's part is missing. @type {Answers} */
const FOR_THE_SANDBOX = {
  domain: '',
  service: 'SHOP',
  origins: 'http://localhost:8000',
  offer: 'lamp',
  amount: '149.90',
  'title-tr': 'Ahşap masa lambası',
  'title-en': 'Wooden table lamp',
};

/**
 * Takes the flags. Asks for the other answers in a terminal, or if no flag is given.
 * @param {Answers} flags
 * @param {string} name - The Worker's name, if nobody chooses another.
 * @param {boolean} isForSandbox - Asks nothing, and needs no platform.
 * @returns {Promise<{answers: Answers, merchantKey: string}>}
 */
async function readAnswers(flags, name, isForSandbox) {
  const isAsking = !isForSandbox && (process.stdin.isTTY || Object.keys(flags).length === 0);
  const asker = new Asker();
  /** @type {Answers} */
  const answers = {};
  const wrong = [];
  for (const [flag, question] of Object.entries({...QUESTIONS, name: {...QUESTIONS['name'], preset: name}})) {
    if (isForSandbox && flags[flag] === undefined) {
      answers[flag] = FOR_THE_SANDBOX[flag] ?? question.preset ?? '';
      continue;
    }
    const given = flags[flag] ?? (isAsking ? undefined : question.preset);
    const mistake = given === undefined ? 'This is missing.' : mistakeOf(flag, given);
    if (given !== undefined && mistake === null) answers[flag] = given;
    else if (isAsking) answers[flag] = await asker.ask(flag, /** @type {Question} */ (question));
    else wrong.push(`--${flag}: ${mistake}`);
  }
  if (wrong.length > 0) throw new UserError(`${wrong.join('\n')}\n${HELP}`);
  const key = isForSandbox
    ? ''
    : (process.env['MERCHANT_KEY'] ?? (isAsking ? await asker.readHidden(MERCHANT_KEY) : ''));
  return {answers, merchantKey: key ?? ''};
}

/** A flag would show the key to other users of the machine. */
const MERCHANT_KEY = 'The merchant key from the platform, which stays hidden (empty: write it into the file later): ';

/** Asks in the terminal. */
class Asker {
  #isHidden = false;
  #output = new Writable({
    write: (chunk, _encoding, done) => {
      if (!this.#isHidden) process.stdout.write(chunk);
      done();
    },
  });
  #terminal = {input: process.stdin, output: this.#output, terminal: Boolean(process.stdin.isTTY)};
  #lines = readline.createInterface(this.#terminal)[Symbol.asyncIterator]();

  /** @param {string} text @returns {Promise<string | undefined>} Undefined at the end of the input. */
  async #read(text) {
    process.stdout.write(text);
    const {value, done} = await this.#lines.next();
    return done ? undefined : value.trim();
  }

  /** Asks until the answer is right. @param {string} flag @param {Question} question */
  async ask(flag, {text, preset}) {
    for (;;) {
      const read = await this.#read(`${text}${preset ? ` [${preset}]` : ''}: `);
      if (read === undefined) throw new UserError(`\nNo answer to --${flag}. ${HELP}`);
      const answer = read || preset || '';
      const mistake = mistakeOf(flag, answer);
      if (mistake === null) return answer;
      print(`  ${mistake}`);
    }
  }

  /** Shows nothing of what is typed. @param {string} text */
  async readHidden(text) {
    this.#isHidden = true;
    const answer = await this.#read(text);
    this.#isHidden = false;
    print();
    return answer;
  }
}

/** JSON text is TOML text. @param {string | undefined} value */
const quote = (value) => JSON.stringify(value);

/** @param {Answers} answers */
function toToml(answers) {
  const {name, domain, service, offer} = answers;
  const address = domain
    ? `routes = [{pattern = ${quote(domain)}, custom_domain = true}]\nworkers_dev = false\npreview_urls = false`
    : '# Give the Worker a domain of its own before you go live (docs/deploy.md).\nworkers_dev = true';
  const asked = ASKED_SETTINGS.filter((setting) => setting.name !== 'SERVICES');
  const answered = asked.flatMap(({name: setting, flag}) =>
    answers[flag] ? [`${setting} = ${quote(answers[flag])}`] : [],
  );
  const missing = asked.filter((setting) => setting.of === 'platform' && setting.isNeeded && !answers[setting.flag]);
  const platform =
    missing.length > 0
      ? [
          '# A deployment needs these settings, the origins of your own pages, and the code of your service.',
          ...missing.map(({name: setting, example}) => `# ${setting} = ${quote(example)}`),
        ]
      : [];
  const seller = Object.entries(sellerOf(answers) ?? {}).map(([field, value]) => `${field} = ${quote(value)}`);
  return `# The settings of your Worker; docs/deploy.md in the repository of Vezne lists all. Secrets belong in ${path.basename(secretsFile())}.
name = ${quote(name)}
${address}

[vars]
${[...platform, ...answered].join('\n')}

[vars.SERVICES]
${quote(service)} = {}

[vars.OFFERS.${offer}]
kind = "payment"
service = ${quote(service)}
amount = ${quote(answers['amount'])}
title = {tr = ${quote(answers['title-tr'])}, en = ${quote(answers['title-en'])}}
${seller.length > 0 ? `seller = {${seller.join(', ')}}\n` : ''}`;
}

/** The secrets that are the shop's own, and the platform's. @param {Answers} answers @param {string} merchantKey */
const toSecrets = (answers, merchantKey) => `# Secrets. git ignores this file; keep a copy of it in a safe place.
${toDotenv({
  MERCHANT_KEY: merchantKey,
  SESSION_SECRET: randomBytes(32).toString('base64url'),
  MERCHANT_API_KEY: randomBytes(32).toString('base64url'),
  ...(answers['webhook-url'] && {WEBHOOK_SECRET: `whsec_${randomBytes(32).toString('base64')}`}),
})}`;

/** A name that npm and Cloudflare accept. @param {string} folder */
const nameOf = (folder) =>
  path
    .basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 54) || 'vezne';

/** The files that make a folder a project. @param {string} folder @returns {[name: string, text: string][]} */
function projectFiles(folder) {
  const project = {
    name: nameOf(folder),
    private: true,
    type: 'module',
    scripts: {dev: 'vezne dev', deploy: 'vezne deploy'},
    dependencies: {vezne: manifest.version},
    devDependencies: {wrangler: manifest.devDependencies['wrangler']},
    engines: {node: '>=22'},
    // wrangler's builds are made for this machine when they are installed.
    allowScripts: {esbuild: true, workerd: true},
  };
  return [
    ['package.json', `${JSON.stringify(project, null, 2)}\n`],
    ['.gitignore', 'node_modules/\n.wrangler/\n.dev.vars*\n'],
  ];
}

/** Lists the flags. */
export function printFlags() {
  const list = Object.entries(QUESTIONS).map(([flag, {text}]) => `--${flag.padEnd(13)} ${text}`);
  print([...list, '--sandbox       Asks nothing: settings that work with the sandbox'].join('\n'));
}

/** @param {string[]} args */
export async function create(args) {
  const {folder, sandbox, flags} = readFlags(args);
  const target = path.resolve(projectPath(), folder ?? (isClone ? '' : 'my-shop'));
  const settings = isClone ? ownFile() : path.join(target, 'vezne.toml');
  const secrets = isClone ? secretsFile() : path.join(target, '.dev.vars');
  const shownFolder = path.relative(process.cwd(), target) || '.';
  if (!isClone && existsSync(target) && readdirSync(target).some((name) => name !== '.git'))
    throw new UserError(
      `The folder ${shownFolder} is not empty: name another, such as \`${shown('new')} my-other-shop\`.`,
    );
  for (const file of [settings, secrets])
    if (existsSync(file)) throw new UserError(`${shorten(file)} exists: edit it, or move it away first.`);

  const name = isClone ? 'vezne' : nameOf(target);
  // Standard input may stay open, which would keep this process running.
  const asked = readAnswers(flags, name, sandbox ?? false).finally(() => process.stdin.destroy());
  const {answers, merchantKey} = await asked;
  /** @type {[string, string][]} */
  const files = [
    [settings, toToml(answers)],
    [secrets, toSecrets(answers, merchantKey)],
    ...(isClone ? [] : projectFiles(target)).map(
      ([file, text]) => /** @type {[string, string]} */ ([path.join(target, file), text]),
    ),
  ];
  mkdirSync(target, {recursive: true});
  for (const [file, text] of files)
    if (file === secrets) writePrivateFile(file, text);
    else writeFileSync(file, text, {flag: 'wx'});
  print(`Wrote ${files.map(([file]) => shorten(file)).join(', ')}. Next:`);
  if (!sandbox && !merchantKey) print(`  write MERCHANT_KEY into ${shorten(secrets)}`);
  if (!isClone) print(`  cd ${shownFolder}\n  npm install\n  npx vezne dev`);
  if (!sandbox) print(`  npx wrangler login\n  ${shown('deploy')}`);
}

/** A path for a command line in this folder. @param {string} file */
const shorten = (file) => {
  const short = path.relative(process.cwd(), file);
  return short.startsWith('..') ? file : short;
};

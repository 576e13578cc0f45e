/** Runs the commands that read and write the configuration. Each test has a separate file of settings. */

import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {mkdtemp, readFile, rm, stat, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, describe, expect, onTestFinished, test, vi} from 'vitest';
import {checkSettings} from '../../cli/check-settings.mjs';
import {devSettings} from '../../cli/dev-settings.mjs';
import {freePort} from '../../cli/ports.mjs';
import {DEPLOYED_FILE} from '../../cli/project.mjs';
import {root} from '../../scripts/lib/repo.mjs';
import {runHere} from './support/in-process.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vezne-configuration-'));
});
afterAll(() => rm(folder, {recursive: true, force: true}));

interface Run {
  /** The file with the operator's settings. */
  readonly file: string;
  /** What the operator types. */
  readonly input?: string;
  readonly env?: Record<string, string>;
}

/** A deployment that is refused has not read its input, or started wrangler. */
const refuse = (args: readonly string[], file: string) => runCommand(['deploy', ...args], {VEZNE_CONFIG: file});

async function runCommand(args: readonly string[], env: Record<string, string>) {
  const {code, printed} = await runHere(args, env);
  return {code, lines: printed.split('\n')};
}

async function run(args: readonly string[], {file, input = '', env = {}}: Run) {
  const child = spawn(process.execPath, ['scripts/run.cjs', ...args], {
    cwd: root,
    env: {...process.env, NODE_OPTIONS: '', VEZNE_CONFIG: file, ...env},
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (printed += data.toString()));
  child.stdin.end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return {code, lines: printed.trim().split('\n')};
}

/** Writes settings, and returns the file's path. */
async function own(name: string, toml: string): Promise<string> {
  const file = path.join(folder, `${name}.toml`);
  await writeFile(file, toml);
  return file;
}

const LAMP = 'kind = "payment", service = "SHOP", title = {tr = "Lamba", en = "Lamp"}';

/** Valid settings of a Worker in front of a real platform. */
const VALID = `
name = "shop"
workers_dev = false
preview_urls = false
routes = [{pattern = "pay.shop.example", custom_domain = true}]
[vars]
PHS_URL = 'https://platform.example/phs'  # a comment
MERCHANT_ID = "42"
MERCHANT_IP = "192.0.2.44"
ALLOWED_ORIGINS = "https://shop.example"
WEBHOOK_URL = "https://shop.example/vezne"
[vars.SERVICES]
SHOP = {}
[vars.OFFERS]
lamp = {${LAMP}, amount = "149.9"}
`;

/** Checks that `npm run deploy` would accept these settings, without a build, which takes far longer. */
function checkAccepted(file: string, args: readonly string[] = []): void {
  vi.stubEnv('VEZNE_CONFIG', file);
  checkSettings(args);
  vi.unstubAllEnvs();
}

/** The ids of the rate limits that `npm run deploy` would deploy, by their names. */
async function rateLimitIds(toml: string, ...args: string[]): Promise<Record<string, string>> {
  checkAccepted(await own('ids', toml), args);
  const {ratelimits} = JSON.parse(await readFile(DEPLOYED_FILE, 'utf8')) as {
    ratelimits: {name: string; namespace_id: string}[];
  };
  return Object.fromEntries(ratelimits.map(({name, namespace_id}) => [name, namespace_id]));
}

const CORRECT = (name: string) => `Correct ${name}.toml (docs/deploy.md).`;
const ON_THIS_MACHINE = 'This is an address of this machine.';

/** A configuration of a merchant who only sells subscriptions on landing pages. */
const billing = (url: string) =>
  VALID.replace(/^PHS_URL.*$/m, `LANDING_URL = "${url}"`).replace(/^(MERCHANT_IP|lamp).*$/gm, '') +
  'club = {kind = "subscription", product = 1, price = "1", period = "weekly", title = {tr = "A", en = "A"}, ' +
  'terms = {tr = "A", en = "A"}, operators = [{id = 1, name = "A"}]}\n';

describe('npm run deploy', () => {
  // `project.test.ts` deploys a Worker.
  test('npm run deploy takes bindings from wrangler.toml, and variables only from the operator’s file', async () => {
    checkAccepted(await own('valid', VALID));
    const text = await readFile(DEPLOYED_FILE, 'utf8');
    const {vars, ratelimits} = JSON.parse(text) as {vars: object; ratelimits: {simple: object}[]};
    expect(vars).toMatchObject({PHS_URL: 'https://platform.example/phs', MERCHANT_ID: '42'});
    expect(ratelimits).toContainEqual(expect.objectContaining({name: 'READ_RATE', simple: {limit: 3000, period: 60}}));
    // No setting of the sandbox remains.
    expect(JSON.stringify(vars)).not.toMatch(/localhost|MICROPAYMENT_URL|gold/);
  });

  test('two shops in one account do not share rate limits, and each shop keeps its own', async () => {
    const [shop, club] = [await rateLimitIds(VALID), await rateLimitIds(VALID, '--name', 'club')];
    const all = [shop, club].flatMap(({ADDRESS_RATE, READ_RATE}) => [ADDRESS_RATE, READ_RATE]);
    expect(new Set(all).size).toBe(4);
    for (const id of all) expect(id).toMatch(/^[1-9]\d{9}$/);
    const mine = '[[ratelimits]]\nname = "READ_RATE"\nnamespace_id = "7"\nsimple = {limit = 5000, period = 60}\n';
    expect(await rateLimitIds(VALID.replace('"shop"', '"club"') + mine)).toEqual({...club, READ_RATE: '7'});
  });

  test('npm run deploy accepts LANDING_URL without PHS_URL, but refuses a LANDING_URL on this machine', async () => {
    checkAccepted(await own('billing', billing('https://platform.example/landing')));
    const local = await refuse([], await own('local billing', billing('http://127.0.0.1:8790/landing')));
    expect(local.code).toBe(1);
    expect(local.lines).toContain(`  LANDING_URL: ${ON_THIS_MACHINE}`);
  });

  test('npm run deploy refuses wrangler.toml as it is, and names each refused setting once', async () => {
    expect(await refuse([], 'wrangler.toml')).toEqual({
      code: 1,
      lines: [
        'Not deployed:',
        `  PHS_URL: ${ON_THIS_MACHINE}`,
        `  MICROPAYMENT_URL: ${ON_THIS_MACHINE}`,
        `  PAYMENT_PAGE_URL: ${ON_THIS_MACHINE}`,
        `  LANDING_URL: ${ON_THIS_MACHINE}`,
        '  ALLOWED_ORIGINS: Pages on this machine are not accepted.',
        `  MERCHANT_IP: ${ON_THIS_MACHINE}`,
        '  OFFERS.gold: This is an offer of the demo.',
        '  OFFERS.brief: This is an offer of the demo.',
        '  OFFERS.club: This is an offer of the demo.',
        '  OFFERS.trial: This is an offer of the demo.',
        'Run `npm run init`, which writes settings of your own (docs/deploy.md).',
      ],
    });
  });

  // `webhook-address.test.ts` tests the other URLs of webhooks that are refused.
  test('npm run deploy refuses what the Worker would refuse, with one sentence for each mistake', async () => {
    const toml = VALID.replace('"149.9"', '"149,90"')
      .replace('"https://shop.example"', '"shop.example https://*.localhost"')
      .replace('https://shop.example/vezne', 'https://192.168.1.7/vezne')
      .replace('workers_dev = false', 'workers_dev = true')
      .replace('MERCHANT_ID', 'ALLOWED_ORIGIN = "https://shop.example"\nACCOUNTING = "x"\nMERCHANT_ID')
      .replace('[vars.OFFERS]', `[vars.OFFERS]\nchair = {${LAMP.replace('SHOP', 'DEMO')}, amount = "1"}`);
    expect(await refuse([], await own('wrong', toml))).toEqual({
      code: 1,
      lines: [
        'Note: Vezne has no setting of the name ACCOUNTING.',
        'Not deployed:',
        '  WEBHOOK_URL: The URL points to this machine or to a local network.',
        '  ALLOWED_ORIGINS: Pages on this machine are not accepted.',
        '  ALLOWED_ORIGIN: Vezne has no setting of this name (line 8 of wrong.toml). Did you mean ALLOWED_ORIGINS?',
        '  OFFERS.chair.service: SERVICES does not have the service "DEMO".',
        '  OFFERS.lamp.amount: Expected decimal text with at most two places, such as "149.90".',
        '  workers_dev: The Worker has a domain, but would also be on workers.dev, where the rules of ' +
          'your domain do not apply. Set workers_dev = false and preview_urls = false.',
        CORRECT('wrong'),
      ],
    });
  });

  test('npm run deploy names each setting outside [vars] with its line, and says where it belongs', async () => {
    const toml = `EGRESS = "binding"\nMERCHANT_IPS = "192.0.2.44"\n${VALID.replace('SHOP = {}', 'SHOP = {}\nLIMITS = {}')}
ALLOWED_ORIGINS = "https://club.example"
[[routes]]
"TURNSTILE_SITEKEY" = "x"
[observability]
logs = {enabled = true, ONE_CLICK = "on"}
[OFFERS_2.chair]
kind = "payment"
`;
    const file = await own('outside', toml.replace(/^routes.*$/m, ''));
    const because = 'This setting has no effect, because it is';
    const advice = 'Move it directly below the line [vars].';
    expect(await refuse([], file)).toEqual({
      code: 1,
      lines: [
        'Not deployed:',
        `  EGRESS: ${because} outside the table [vars] (line 1 of outside.toml). ${advice}`,
        `  MERCHANT_IPS: ${because} outside the table [vars] (line 2 of outside.toml). ${advice}`,
        `  ALLOWED_ORIGINS: ${because} in the table [vars.OFFERS] (line 20 of outside.toml). ${advice}`,
        `  TURNSTILE_SITEKEY: ${because} in the table [routes] (line 22 of outside.toml). ${advice}`,
        `  ONE_CLICK: ${because} in the table [observability.logs] (line 24 of outside.toml). ${advice}`,
        `  OFFERS_2: ${because} outside the table [vars] (line 25 of outside.toml). Name the table [vars.OFFERS_2.chair].`,
        CORRECT('outside'),
      ],
    });
    expect((await refuse([], await own('bare', 'name = "shop"\nSERVICES = {}\n'))).lines[1]).toBe(
      `  SERVICES: ${because} outside the table [vars] (line 2 of bare.toml). Move it directly below a new line [vars] at the end of the file.`,
    );
  });

  test('npm run deploy checks the values of --var, and the secrets in a file, which it does not print', async () => {
    const secrets = path.join(folder, 'secrets.json');
    await writeFile(
      secrets,
      JSON.stringify({MERCHANT_KEY: 'sandbox-merchant-key', SESSION_SECRET: 'short', WEBHOOKSECRET: 'hush'}),
    );
    const file = await own('secrets', VALID);
    const args = ['--var', 'RELAY_URL:http://127.0.0.1:8788', '--var', 'EGRESS:binding', '--secrets-file', secrets];
    expect(await refuse(args, file)).toEqual({
      code: 1,
      lines: [
        'Not deployed:',
        `  RELAY_URL: ${ON_THIS_MACHINE}`,
        '  MERCHANT_KEY: This is a public secret of the sandbox. Set your own.',
        '  WEBHOOKSECRET: Vezne has no setting of this name. Did you mean WEBHOOK_SECRET?',
        '  SESSION_SECRET: Expected at least 32 characters.',
        'Correct secrets.toml and .dev.vars.local (docs/deploy.md).',
      ],
    });
  });

  test('npm run deploy refuses a secret among the settings, and says which file a missing secret belongs in', async () => {
    const file = await own('vezne.exposed', VALID.replace('MERCHANT_ID', 'SESSION_SECRET = "hush"\nMERCHANT_ID'));
    await writeFile(path.join(folder, '.dev.vars.exposed'), "MERCHANT_KEY=''\n");
    const {code, lines} = await refuse([], file);
    expect({code, lines}).toEqual({
      code: 1,
      lines: [
        'Not deployed:',
        '  SESSION_SECRET: A secret among the settings is stored as plain text. Move it to .dev.vars.exposed.',
        '  MERCHANT_KEY: This secret is missing.',
        'Correct vezne.exposed.toml and .dev.vars.exposed (docs/deploy.md).',
      ],
    });
  });

  test('npm run deploy names the line that is not TOML', async () => {
    const file = await own('syntax', VALID.replace('MERCHANT_ID = "42"', 'MERCHANT_ID = forty-two'));
    expect(await refuse([], file)).toEqual({
      code: 1,
      lines: ['syntax.toml cannot be read: Invalid TOML document: invalid value in line 8, at MERCHANT_ID.'],
    });
  });

  test.each([
    [
      'workers_dev = "no"',
      ['wrangler does not accept form.toml:', '  - Expected "workers_dev" to be of type boolean but got "no".'],
    ],
    ['name = 5', ['name: Expected text (form.toml).']],
    ['ratelimits = {name = "x"}', ['ratelimits: Expected [[ratelimits]] (form.toml).']],
  ])('npm run deploy says that %s is not accepted', async (line, lines) => {
    const file = await own('form', `${line}\n${VALID.replace(/^(?:name|workers_dev) = .*$/gm, '')}`);
    expect(await refuse([], file)).toEqual({code: 1, lines});
  });

  test('npm run deploy says how to save a file whose letters it cannot read', async () => {
    const file = path.join(folder, 'latin.toml');
    await writeFile(file, VALID.replace('Lamba', 'Küre'), 'latin1');
    expect(await refuse([], file)).toEqual({
      code: 1,
      lines: ['latin.toml cannot be read: This is not UTF-8 text. Save it as UTF-8.'],
    });
  });

  test('npm run deploy refuses environments of wrangler, and says how to deploy a staging Worker', async () => {
    const refused = {
      code: 1,
      lines: [expect.stringContaining('VEZNE_CONFIG=vezne.staging.toml npm run deploy') as string],
    };
    const file = await own('environments', VALID);
    expect(await refuse(['--env', 'staging'], file)).toEqual(refused);
    expect(await refuse([], await own('tables', `${VALID}[env.staging]\nname = "shop-staging"\n`))).toEqual(refused);
    expect(await runCommand(['deploy'], {VEZNE_CONFIG: file, CLOUDFLARE_ENV: 'staging'})).toEqual(refused);
  });

  test('npm run deploy refuses a second file whose Worker would replace that of vezne.toml or take its domain', async () => {
    await own('vezne', VALID);
    const copy = await own('vezne.staging', VALID);
    expect((await refuse([], copy)).lines).toEqual([
      'Not deployed:',
      '  name: vezne.toml deploys a Worker of this name, which would be replaced.',
      '  routes: vezne.toml deploys its Worker at pay.shop.example, which would be moved.',
      'Correct vezne.staging.toml (docs/deploy.md).',
    ]);
    const staging = VALID.replace('"shop"', '"staging"').replace('pay.', 'staging.');
    checkAccepted(await own('vezne.staging', staging));
    expect((await refuse(['--domain', 'pay.shop.example'], copy)).lines[1]).toContain('at pay.shop.example, which');
    // Without a name, both would be the Worker of wrangler.toml.
    await own('vezne', VALID.replace('name = "shop"', ''));
    await own('vezne.staging', staging.replace('name = "staging"', ''));
    expect((await refuse([], copy)).lines[1]).toContain('name: vezne.toml deploys a Worker of this name');
    await rm(path.join(folder, 'vezne.toml'));
  });

  test('npm run deploy refuses an operator’s file that has the table `exports` or does not exist', async () => {
    const file = await own('tables', `${VALID}\n[exports]\nOrder = {type = "durable-object", storage = "sqlite"}\n`);
    expect(await refuse([], file)).toEqual({
      code: 1,
      lines: [
        'Remove exports from tables.toml: these settings belong to wrangler.toml, and an update may change them.',
      ],
    });
    const none = path.join(folder, 'none.toml');
    expect(await refuse([], none)).toEqual({
      code: 1,
      lines: [`VEZNE_CONFIG names a file that does not exist: ${none}`],
    });
  });
});

test('a date without quotes is the same setting on this machine as in a deployment', async () => {
  const times =
    'holidays = [2027-04-23, 2027-05-19]\nrules = [{from = "other_bank", text = {tr = "Yarın", en = "Tomorrow"}}]\n';
  const file = await own('dates', `${VALID.replace(/^WEBHOOK_URL.*$/m, '')}[vars.TRANSFER_TIMES]\n${times}`);
  checkAccepted(file);
  const {vars} = JSON.parse(await readFile(DEPLOYED_FILE, 'utf8')) as {vars: Record<string, unknown>};
  vi.stubEnv('VEZNE_CONFIG', file);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(devSettings('http://localhost:9300', 9301).vars['TRANSFER_TIMES']).toEqual(vars['TRANSFER_TIMES']);
  expect(vars['TRANSFER_TIMES']).toMatchObject({holidays: ['2027-04-23', '2027-05-19']});
});

describe('npm start', () => {
  test('npm start refuses a wrong configuration with one sentence for each mistake, and starts nothing', async () => {
    const toml = VALID.replace('"149.9"', '149.9')
      .replace('"https://shop.example"', "'http://localhost:9300/' # mine")
      .replace('MERCHANT_ID', 'LIMIT = {}\nMERCHANT_ID')
      .concat('QUOTA_SHARE = 0.5\n');
    const env = {PORT: String(await freePort()), SANDBOX_PORT: String(await freePort())};
    expect(await runCommand(['dev'], {VEZNE_CONFIG: await own('start', toml), ...env})).toEqual({
      code: 1,
      lines: [
        'Not started:',
        '  QUOTA_SHARE: This setting has no effect, because it is in the table [vars.OFFERS] (line 17 of start.toml). ' +
          'Move it directly below the line [vars].',
        '  LIMIT: Vezne has no setting of this name (line 8 of start.toml). Did you mean LIMITS?',
        '  ALLOWED_ORIGINS: Expected origins such as https://shop.example, without a slash at the end and separated by ' +
          'spaces, not "http://localhost:9300/".',
        '  OFFERS.lamp.amount: Expected text.',
        '  OFFERS.QUOTA_SHARE: Expected an object.',
        'Correct start.toml.',
      ],
    });
  });

  test('npm start with another port moves the links of the demo’s offers to that port, and no other link', async () => {
    const links = 'terms_url = "http://localhost:5173/own", terms = {tr = "A", en = "A"}, period = "weekly"';
    const club = `kind = "subscription", product = 1, price = "1", title = {tr = "A", en = "A"}, ${links}`;
    const toml = `[vars]\n[vars.OFFERS]\nown = {${club}, operators = [{id = 1, name = "A"}]}\n`;
    vi.stubEnv('VEZNE_CONFIG', await own('links', toml));
    const {vars} = devSettings('http://localhost:9300', 9301);
    vi.unstubAllEnvs();
    const offers = JSON.parse(vars['OFFERS'] as string) as Record<string, object>;
    expect(offers['club']).toMatchObject({
      terms_url: 'http://localhost:9300/terms',
      privacy_url: 'http://localhost:9300/terms#privacy',
    });
    expect(offers['own']).toMatchObject({terms_url: 'http://localhost:5173/own'});
  });
});

describe('npm start', () => {
  test('npm start takes every setting and secret of the shop’s files, except those of the platform, which it names', async () => {
    const file = await own('vezne.taken', VALID.replace('MERCHANT_ID', 'BANK_DELAY_MINUTES = 9\nMERCHANT_ID'));
    vi.stubEnv('VEZNE_CONFIG', file);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(() => devSettings('http://localhost:9300', 9301)).toThrow(
      'WEBHOOK_SECRET: WEBHOOK_URL needs this.\nCorrect .dev.vars.taken.',
    );
    const secret = `whsec_${Buffer.from('0123456789abcdef0123456789abcdef').toString('base64')}`;
    await writeFile(
      path.join(folder, '.dev.vars.taken'),
      `WEBHOOK_SECRET=${secret}\nMERCHANT_KEY=the-key-of-the-platform\n`,
    );
    expect(devSettings('http://localhost:9300', 9301)).toMatchObject({
      vars: {WEBHOOK_URL: 'https://shop.example/vezne', BANK_DELAY_MINUTES: 9, PHS_URL: 'http://localhost:9301/phs'},
      secrets: {WEBHOOK_SECRET: secret, MERCHANT_KEY: 'sandbox-merchant-key'},
      publicKey: 'sandbox-merchant-api-key',
      replaced: ['PHS_URL', 'MERCHANT_ID', 'MERCHANT_IP', 'SERVICES', 'MERCHANT_KEY'],
    });
  });
});

describe('npm run doctor', () => {
  test('npm run doctor calls the Worker at the domain in the operator’s file, and names settings outside [vars]', async () => {
    const toml = 'EGRESS = "relay"\nroutes = [{pattern = "pay.shop.invalid", custom_domain = true}]\n';
    const file = await own('doctor', toml);
    const {code, lines} = await runCommand(['doctor', '--key', 'a-key-of-ours'], {VEZNE_CONFIG: file});
    expect({code, lines}).toEqual({
      code: 1,
      lines: [
        'FAILED   configuration  EGRESS: This setting has no effect, because it is outside the table [vars] (line 1 of ' +
          'doctor.toml). Move it directly below a new line [vars] at the end of the file.',
        expect.stringMatching(/^https:\/\/pay\.shop\.invalid does not answer/),
      ],
    });
  });
});

const toArgs = (answers: Record<string, string>) =>
  Object.entries(answers).map(([name, value]) => `--${name}=${value}`);

describe('npm run init', () => {
  const flags = {
    domain: 'pay.shop.example',
    'phs-url': 'https://platform.example/phs',
    'merchant-id': '42',
    'merchant-ip': '192.0.2.44',
    service: 'SHOP',
    origins: 'https://shop.example',
    offer: 'lamp',
    amount: '149.9',
    'title-tr': 'Ahşap "masa" lambası',
    'title-en': 'Lamp',
    seller: 'Fener Atölyesi',
    'support-email': 'destek@shop.example',
    'support-phone': '',
    'webhook-url': 'https://shop.example/vezne',
  };
  test('npm run init writes a file that npm run deploy accepts, and never overwrites it', async () => {
    const file = path.join(folder, 'vezne.init.toml');
    const secrets = path.join(folder, '.dev.vars.init');
    expect(await run(['init', ...toArgs(flags)], {file, env: {MERCHANT_KEY: 'the-key-of-the-platform'}})).toEqual({
      code: 0,
      lines: [`Wrote ${file}, ${secrets}. Next:`, '  npx wrangler login', '  npm run deploy'],
    });
    expect(await readFile(secrets, 'utf8')).toMatch(
      /^MERCHANT_KEY='the-key-of-the-platform'\nSESSION_SECRET='[\w-]{43}'\nMERCHANT_API_KEY='[\w-]{43}'\nWEBHOOK_SECRET='whsec_/m,
    );
    expect((await stat(secrets)).mode & 0o077).toBe(0);
    const written = await readFile(file, 'utf8');
    expect(written).toContain('seller = {name = "Fener Atölyesi", support_email = "destek@shop.example"}');
    expect(await run(['init', ...toArgs(flags)], {file})).toEqual({
      code: 1,
      lines: [`${file} exists: edit it, or move it away first.`],
    });
    expect(await readFile(file, 'utf8')).toBe(written);
    checkAccepted(file);
  });

  test('npm run init names every missing or wrong flag, and writes nothing', async () => {
    const file = path.join(folder, 'vezne.flags.toml');
    const {'merchant-id': _id, ...rest} = flags;
    const wrong = {
      ...rest,
      amount: '149,90',
      'support-email': 'help',
      origins: 'http://localhost:8000',
      domain: 'https://pay.shop.example',
    };
    expect(await run(['init', ...toArgs(wrong)], {file})).toEqual({
      code: 1,
      lines: [
        '--domain: Expected the name of a host, such as pay.shop.example.',
        '--merchant-id: This is missing.',
        '--origins: Pages on this machine are accepted only with a platform on this machine.',
        '--amount: Expected decimal text with at most two places, such as "149.90".',
        '--support-email: Expected an e-mail address.',
        '`npm run init -- --help` lists all flags.',
      ],
    });
    await expect(readFile(file)).rejects.toThrow('ENOENT');
  });

  test('npm run init asks for each setting, and repeats a question until the answer is valid', async () => {
    const file = path.join(folder, 'vezne.asked.toml');
    const answers = ['', '', 'http://platform.example', ...Object.values(flags).slice(1)];
    const {code, lines} = await run(['init'], {file, input: `${answers.join('\n')}\n`});
    expect({code, printed: lines.join('\n')}).toMatchObject({
      code: 0,
      printed: expect.stringContaining('Expected a URL that begins with https://.') as string,
    });
    expect(await readFile(file, 'utf8')).toContain('name = "vezne"\n');
  });
});

/** Adds settings to the table, and looks for them where a setting appears: a row is all that a setting needs. */

import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import path from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import * as z from 'zod/mini';

type Values = Readonly<Record<string, unknown>>;

/** Imports without types, because the Worker's need those of workerd instead of Node. */
const load = async <T>(module: string): Promise<T> =>
  import(new URL(`../../worker/config/${module}.ts`, import.meta.url).href) as Promise<T>;

const ROWS = {
  PARCEL_LABEL: {
    schema: () => z.enum(['plain', 'paper', 'gift']),
    default: 'plain',
    field: true,
    for: 'parcels',
    doc: 'what a parcel looks like',
    question: {text: 'What your parcels look like (empty: plain)', example: 'paper'},
  },
  PARCEL_URL: {
    schema: () => z.string(),
    of: 'platform',
    needed: ({PARCEL_LABEL}: Values) => (PARCEL_LABEL === 'gift' ? 'PARCEL_LABEL = "gift" needs this.' : null),
    for: 'parcels',
    doc: 'where parcels are packed',
  },
  PARCEL_SECRET: {
    kind: 'secret',
    schema: () => z.string().check(z.minLength(8)),
    needed: ({PARCEL_URL}: Values) => (PARCEL_URL === undefined ? null : 'PARCEL_URL needs this.'),
    rotates: true,
    field: 'parcelSecrets',
    doc: 'parcels, with `PARCEL_URL`',
  },
};

const VALID = {
  PHS_URL: 'https://platform.example/phs',
  MERCHANT_ID: '42',
  MERCHANT_IP: '192.0.2.44',
  MERCHANT_KEY: 'the-key-of-the-platform',
  SESSION_SECRET: '0123456789abcdef0123456789abcdef',
  ALLOWED_ORIGINS: 'https://shop.example',
  SERVICES: {SHOP: {}},
  OFFERS: {},
};
const PARCELS = {
  PARCEL_LABEL: 'gift',
  PARCEL_URL: 'https://parcels.example',
  PARCEL_SECRET: 'a secret of parcels',
  PARCEL_SECRET_PREVIOUS: 'the secret before',
};

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'vezne-settings-'));
  vi.resetModules();
  // Other tests write the file of this clone at the same time.
  vi.doMock('../../cli/project.mjs', async (original) => ({
    ...(await original<object>()),
    DEPLOYED_FILE: path.join(folder, 'wrangler.json'),
  }));
  Object.assign((await load<{SETTINGS: object}>('settings')).SETTINGS, ROWS);
});
afterAll(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  vi.doUnmock('../../cli/project.mjs');
  vi.resetModules();
  rmSync(folder, {recursive: true, force: true});
});

/** Uses a file of settings with these lines in `[vars]`. */
function useFile(name: string, ...lines: readonly string[]): string {
  const file = path.join(folder, `${name}.toml`);
  const vars = Object.entries(VALID).filter(([, value]) => typeof value === 'string' && !value.includes('0123'));
  const settings = vars.flatMap(([each, value]) =>
    each === 'MERCHANT_KEY' ? [] : [`${each} = ${JSON.stringify(value)}`],
  );
  writeFileSync(
    file,
    [`name = "${name}"\n[vars]`, ...settings, ...lines, '[vars.SERVICES]\nSHOP = {}\n[vars.OFFERS]\n'].join('\n'),
  );
  vi.stubEnv('VEZNE_CONFIG', file);
  return file;
}

const messageOf = (run: () => unknown): string => {
  try {
    return String(run());
  } catch (error) {
    return (error as Error).message;
  }
};

test('the Worker parses it, has its default, and says what is wrong or missing', async () => {
  const {readConfig} = await load<{readConfig: (values: Values) => object}>('config');
  expect(readConfig({...VALID})).toMatchObject({parcelLabel: 'plain', parcelSecrets: []});
  expect(readConfig({...VALID, ...PARCELS})).toMatchObject({
    parcelLabel: 'gift',
    parcelSecrets: [PARCELS.PARCEL_SECRET, PARCELS.PARCEL_SECRET_PREVIOUS],
  });
  expect(messageOf(() => readConfig({...VALID, PARCEL_LABEL: 'red'}))).toBe('Missing or wrong: PARCEL_LABEL');
  expect(messageOf(() => readConfig({...VALID, PARCEL_LABEL: 'gift'}))).toBe('Missing or wrong: PARCEL_URL');
});

test('the checks of a deployment know its name, and refuse a secret among the settings and an address of this machine', async () => {
  const {checkSettings} = await import('../../cli/check-settings.mjs');
  useFile('checked', 'PARCEL_LABELS = "gift"', 'PARCEL_URL = "http://localhost:1"', 'PARCEL_SECRET_PREVIOUS = "hush"');
  expect(messageOf(() => checkSettings(['--dry-run'])).split('\n')).toEqual(
    expect.arrayContaining([
      expect.stringMatching(/^ {2}PARCEL_LABELS: Vezne has no setting of this name .* Did you mean PARCEL_LABEL\?$/),
      '  PARCEL_URL: This is an address of this machine.',
      expect.stringMatching(/^ {2}PARCEL_SECRET_PREVIOUS: A secret among the settings is stored as plain text\./),
    ]),
  );
  useFile('unseen', 'PARCEL_URL = "https://parcels.example"');
  expect(checkSettings(['--dry-run'])).toEqual(['MERCHANT_KEY', 'SESSION_SECRET', 'PARCEL_SECRET']);
});

test('vezne dev takes it from the shop’s settings, unless it belongs to the platform', async () => {
  const {devSettings} = await import('../../cli/dev-settings.mjs');
  useFile('dev', 'PARCEL_LABEL = "plain"', 'PARCEL_URL = "https://parcels.example"');
  const {vars, replaced} = devSettings('http://localhost:5173', 8790);
  expect(vars).toMatchObject({PARCEL_LABEL: 'plain'});
  expect(vars).not.toHaveProperty('PARCEL_URL');
  expect(replaced).toContain('PARCEL_URL');
});

test('vezne new asks for it, refuses a wrong answer, and writes the answer', async () => {
  const {create} = await import('../../cli/new.mjs');
  const file = path.join(folder, 'new.toml');
  vi.stubEnv('VEZNE_CONFIG', file);
  vi.spyOn(process.stdin, 'destroy').mockReturnValue(process.stdin);
  vi.spyOn(console, 'log').mockReturnValue();
  await expect(create(['--sandbox', '--parcel-label', 'red'])).rejects.toThrow(
    '--parcel-label: Expected one of plain, paper, gift.',
  );
  await create(['--sandbox', '--parcel-label', 'paper']);
  expect(readFileSync(file, 'utf8')).toContain('\nPARCEL_LABEL = "paper"\n');
});

test('docs/deploy.md gets its line in the table of its kind', async () => {
  const {settingDocs} = await import('../../scripts/build/setting-docs.mjs');
  const {repoPath} = await import('../../scripts/lib/repo.mjs');
  const before = readFileSync(repoPath('docs', 'deploy.md'), 'utf8').split('\n');
  const added = settingDocs(before.join('\n'))
    .split('\n')
    .filter((line) => !before.includes(line));
  expect(added).toEqual([
    '| `PARCEL_LABEL` | parcels | what a parcel looks like. Default `plain` |',
    '| `PARCEL_URL` | parcels | where parcels are packed |',
    '| `PARCEL_SECRET` | you | parcels, with `PARCEL_URL` |',
  ]);
});

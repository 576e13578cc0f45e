/** Watches a log, a browser or files for the secrets that the Workers of the tests are configured with. */

import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {SECRET as RELAY_SECRET} from '../relay/support/secret.ts';
import {SecretScanner, PERSONAL_DATA} from './leak-scanner.ts';
import {SECRET as WEBHOOK_SECRET} from './webhook-inbox.ts';

/** The secrets in `.dev.vars`, and the secrets that some tests add. */
const secrets: Record<string, string> = {
  ...Object.fromEntries(
    [...readFileSync(repoPath('.dev.vars'), 'utf8').matchAll(/^(\w+)=(.+)$/gm)].map(([, name = '', value = '']) => [
      name,
      value,
    ]),
  ),
  RELAY_SECRET,
  WEBHOOK_SECRET,
};
const hash = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const allSecrets = await SecretScanner.of(secrets, hash);
/**
 * A page of the demo acts as the merchant's server, so it may contain the merchant API key, which is public in the
 * demo.
 */
const {MERCHANT_API_KEY: _, ...elsewhere} = secrets;
const demoSecrets = await SecretScanner.of(elsewhere, hash);

export class LeakWatch {
  readonly #where: string;
  readonly #secrets: SecretScanner;
  readonly #patterns: typeof PERSONAL_DATA;
  readonly #found = new Set<string>();
  /** The end of the text so far, because a secret may arrive in two pieces. */
  #rest = '';
  /**
   * The last, incomplete line. It is checked when it is complete, because part of a random id may look like a mobile
   * number.
   */
  #line = '';

  /** @param where - The source of the texts, with which the error message begins. */
  constructor(where: string, {demo = false, people = false} = {}) {
    this.#where = where;
    this.#secrets = demo ? demoSecrets : allSecrets;
    this.#patterns = people ? PERSONAL_DATA : [];
  }

  scan(text: string): void {
    const all = this.#rest + text;
    for (const what of this.#secrets.findIn(all)) this.#found.add(what);
    this.#rest = all.slice(-MAX_LENGTH);
    if (this.#patterns.length > 0) this.#scanLines(text);
  }

  /** Scans every file in a folder. */
  scanFolder(folder: string): void {
    for (const file of readdirSync(folder, {recursive: true, withFileTypes: true})) {
      if (file.isFile()) this.scan(readFileSync(path.join(file.parentPath, file.name), 'utf8'));
    }
  }

  /** @throws if a secret or personal data was found. The message says what was found, but does not show it. */
  assertClean(): void {
    this.#scanForPersonalData(this.#line);
    if (this.#found.size > 0) throw new Error(`${this.#where} shows ${[...this.#found].join(', ')}.`);
  }

  #scanLines(text: string): void {
    const lines = this.#line + text;
    const end = lines.lastIndexOf('\n') + 1;
    this.#scanForPersonalData(lines.slice(0, end));
    this.#line = lines.slice(end);
  }

  #scanForPersonalData(lines: string): void {
    for (const [what, pattern] of this.#patterns) if (pattern.test(lines)) this.#found.add(what);
  }
}

/** The greatest length of a search term, in characters. */
const MAX_LENGTH = 200;

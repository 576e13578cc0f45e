/** Watches what a log, a browser or a file shows for the secrets that every Worker of these tests is configured with. */

import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import path from 'node:path';
import {repoPath} from '../../scripts/lib/repo.mjs';
import {SECRET as RELAY_SECRET} from '../relay/support/secret.ts';
import {SecretScanner, PERSONAL_DATA} from './leak-scanner.ts';
import {SECRET as WEBHOOK_SECRET} from './webhook-inbox.ts';

/** `.dev.vars`, and what single tests add. */
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
/** The demo site plays a merchant's server in a page, and so has the sandbox's public key of the merchant API. */
const {MERCHANT_API_KEY: _, ...elsewhere} = secrets;
const demoSecrets = await SecretScanner.of(elsewhere, hash);

export class LeakWatch {
  readonly #where: string;
  readonly #secrets: SecretScanner;
  readonly #people: typeof PERSONAL_DATA;
  readonly #seen = new Set<string>();
  /** An end of what came before: a secret may come in two pieces. */
  #rest = '';
  /** The line that is not at its end yet: a piece of a random id may look like a number. */
  #line = '';

  /** @param where as a sentence begins with it. */
  constructor(where: string, {demo = false, people = false} = {}) {
    this.#where = where;
    this.#secrets = demo ? demoSecrets : allSecrets;
    this.#people = people ? PERSONAL_DATA : [];
  }

  scan(text: string): void {
    const all = this.#rest + text;
    for (const what of this.#secrets.findIn(all)) this.#seen.add(what);
    this.#rest = all.slice(-MAX_LENGTH);
    if (this.#people.length > 0) this.#seeLines(text);
  }

  /** Every file of a folder. */
  scanFolder(folder: string): void {
    for (const file of readdirSync(folder, {recursive: true, withFileTypes: true})) {
      if (file.isFile()) this.scan(readFileSync(path.join(file.parentPath, file.name), 'utf8'));
    }
  }

  /** @throws where anything was seen; the message names it and does not show it. */
  assertClean(): void {
    this.#seePeople(this.#line);
    if (this.#seen.size > 0) throw new Error(`${this.#where} shows ${[...this.#seen].join(', ')}.`);
  }

  #seeLines(text: string): void {
    const lines = this.#line + text;
    const end = lines.lastIndexOf('\n') + 1;
    this.#seePeople(lines.slice(0, end));
    this.#line = lines.slice(end);
  }

  #seePeople(lines: string): void {
    for (const [what, pattern] of this.#people) if (pattern.test(lines)) this.#seen.add(what);
  }
}

/** Characters of what is looked for, at most. */
const MAX_LENGTH = 200;

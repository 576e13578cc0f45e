/** Collects what is wrong in the configuration, so that one error names every mistake once. */

import {describeFields, type ParsedIssue} from '../lib/validation-messages.ts';
import {BINDINGS_WITH_SECRETS} from './secret-names.ts';

/** Thrown if the configuration is invalid. The message has the names of settings, never their values. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  /** What is missing or wrong: a binding, or a value inside it, such as `LIMITS.address_pins_per_hour`. */
  readonly places: readonly string[];
  /**
   * One sentence for each mistake. The path of the value comes first: `LIMITS.address_pins_per_hour: Expected a number.` A
   * sentence may quote a value that is no secret, so only callers with the merchant API key may see the sentences.
   */
  readonly reasons: readonly string[];

  constructor(places: readonly string[], reasons: readonly string[]) {
    super(`Missing or wrong: ${places.join(', ')}`);
    this.places = places;
    this.reasons = reasons;
  }
}

/** Mistakes in the bindings, by the path of the value. Only the first mistake of a path is kept. */
export class Mistakes {
  readonly #messages = new Map<string, string>();

  /** @param path - The path inside the binding; empty if the binding itself is wrong. */
  add(binding: string, message: string, path: readonly PropertyKey[] = []): void {
    // A path contains names from the table. In a table with secrets, the operator may have written a secret in place of
    // a name, so a mistake in such a table is reported without its path.
    const place = BINDINGS_WITH_SECRETS.has(binding) ? binding : [binding, ...path].map(String).join('.');
    if (!this.#messages.has(place)) this.#messages.set(place, message);
  }

  /**
   * Adds the issues of a parsed value.
   * @param place - The binding and the path inside it that lead to the value; empty if the value is the table of all
   * bindings.
   */
  addIssues(issues: readonly ParsedIssue[], ...place: readonly string[]): void {
    for (const field of describeFields(issues)) {
      const [binding, ...path] = [...place, ...field.path];
      this.add(String(binding), field.message, path);
    }
  }

  get places(): readonly string[] {
    return [...this.#messages.keys()];
  }

  get reasons(): readonly string[] {
    return [...this.#messages].map(([place, message]) => `${place}: ${message}`);
  }
}

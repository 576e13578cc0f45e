/** What only commands read from the table of settings. */

import {type Setting, SETTINGS, type Values} from './settings.ts';
import {namesOf, ROWS} from './variables.ts';

export const SETTING_NAMES = namesOf(() => true);

/** The settings whose value is one address. */
export const ADDRESSES = namesOf((_, name) => name.endsWith('_URL'));

/** The variables and secrets of one platform, for which the sandbox has its own. */
export const OF_THE_PLATFORM: ReadonlySet<string> = new Set(namesOf(({of}) => of === 'platform'));

/**
 * The secrets, which must not be among the settings. A secret may be left from a time when it had a previous value, and
 * `SERVICES` is a setting that may have keys.
 */
export const SECRET_NAMES: ReadonlySet<string> = new Set(
  Object.entries<Setting>(SETTINGS).flatMap(([name, {kind}]) => (kind === 'secret' ? [name, `${name}_PREVIOUS`] : [])),
);

/** The names of the secrets that a Worker with these settings needs. */
export const neededSecrets = (values: Values): readonly string[] =>
  namesOf(
    ({kind, needed, deploymentNeeds}) =>
      kind === 'secret' &&
      (typeof needed === 'function' ? needed(values) !== null : (needed ?? deploymentNeeds?.(values))),
  );

/** A setting that `vezne new` asks for. */
export interface AskedSetting {
  readonly name: string;
  readonly flag: string;
  readonly text: string;
  readonly example: string;
  readonly of: Setting['of'];
  /** Whether there must be an answer. */
  readonly isNeeded: boolean;
}

export const ASKED_SETTINGS: readonly AskedSetting[] = ROWS.flatMap(([name, {question, needed, of}]) => {
  const flag = name.toLowerCase().replaceAll('_', '-');
  return question ? [{name, flag, of, isNeeded: needed !== undefined, ...question}] : [];
});

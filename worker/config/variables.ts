/** Parses the settings when an isolate starts. */

import * as z from 'zod/mini';
import {type ParsedIssue, validationMessage} from '../lib/validation-messages.ts';
import {type CamelCase, camelCase} from './limits.ts';
import {isLoopback} from './origins.ts';
import {type Setting, SETTINGS, type Values} from './settings.ts';

type Table = typeof SETTINGS;
type Name = keyof Table;
/** The names of the rows that have this property. */
type With<Property extends object> = {[N in Name]: Table[N] extends Property ? N : never}[Name];
type Parsed = With<{readonly schema: () => z.ZodMiniType}>;
type Output<N extends Parsed> = z.output<ReturnType<Table[N]['schema']>>;
type Always = With<{readonly needed: true}> | With<{readonly default: unknown}>;
type Rotating = With<{readonly rotates: true}>;

/** The parsed settings. */
export type Variables = {readonly [N in Always]: Output<N>} & {
  readonly [N in Exclude<Parsed, Always>]?: Output<N>;
} & {readonly [N in Rotating as `${N}_PREVIOUS`]?: Output<N>};

type Accepted<N extends Rotating> = N extends Always ? readonly [Output<N>, ...Output<N>[]] : readonly Output<N>[];

type WithField = With<{readonly field: true | string}>;

/** The fields of `Config` that the rows name. */
export type SettingFields = {
  readonly [
    N in WithField as Table[N]['field'] extends string ? Table[N]['field'] : CamelCase<Lowercase<N>>
  ]: N extends Rotating ? Accepted<N> : Output<N> | (N extends Always ? never : null);
};

/** Every default is what its schema returns. */
type WithDefaults = {readonly [N in With<{readonly default: unknown}>]: {readonly default: Output<N>}};

/** All rows, and one for the previous value of each secret that rotates. */
export const ROWS: readonly (readonly [name: string, row: Setting])[] = Object.entries<Setting>(
  SETTINGS satisfies WithDefaults,
).flatMap(([name, row]) =>
  row.rotates
    ? [
        [name, row],
        [`${name}_PREVIOUS`, {...row, needed: undefined}],
      ]
    : [[name, row]],
);

/** Parses the settings. To save time, those that are absent and not always needed get no schema. */
export function parseVariables(env: Values): {
  readonly data: Variables | undefined;
  readonly issues: readonly ParsedIssue[];
} {
  const shape: Record<string, z.ZodMiniType> = {};
  const defaults: Record<string, unknown> = {};
  for (const [name, {schema, needed, default: value}] of ROWS) {
    if (schema && (needed === true || env[name] !== undefined)) shape[name] = schema();
    else if (value !== undefined) defaults[name] = value;
  }
  const {data, error} = z.object(shape).safeParse(env, {error: validationMessage});
  return {data: data && ({...defaults, ...data} as Variables), issues: error?.issues ?? []};
}

/** The values of a secret that are accepted: the current one first, then the previous one. */
export const acceptedValues = <N extends Rotating>(values: Partial<Variables>, name: N): Accepted<N> =>
  [values[name], values[`${name}_PREVIOUS`]].filter((value) => value !== undefined) as unknown as Accepted<N>;

/** The fields of `Config` that the rows name. */
export const settingFields = (data: Variables): SettingFields =>
  Object.fromEntries(
    Object.entries<Setting>(SETTINGS).flatMap(([name, {field, rotates}]) => {
      const value = rotates ? acceptedValues(data, name as Rotating) : (data[name as Parsed] ?? null);
      return field ? [[field === true ? camelCase(name.toLowerCase()) : field, value]] : [];
    }),
  ) as SettingFields;

/** The names of the chosen rows. */
export const namesOf = (isChosen: (row: Setting, name: string) => unknown): readonly string[] =>
  ROWS.flatMap(([name, row]) => (isChosen(row, name) ? [name] : []));

const PLATFORM_URLS = namesOf(({base}) => base);

/**
 * Whether any part of the platform may be outside this machine. With a binding, calls reach the server behind the
 * binding, even if the platform's URLs name this machine. With a relay, calls go where the relay's own configuration
 * says, so the relay counts as a part of the platform.
 */
export function isOutsideLoopback(env: Values): boolean {
  if (env['EGRESS'] === 'binding') return true;
  const names = env['EGRESS'] === 'relay' ? [...PLATFORM_URLS, 'RELAY_URL'] : PLATFORM_URLS;
  return names.some((name) => {
    const address = env[name];
    const url = typeof address === 'string' ? URL.parse(address) : null;
    return url !== null && !isLoopback(url);
  });
}

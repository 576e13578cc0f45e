/**
 * The names of the fields that a table of the settings may have. Only commands use them, to say what a misspelt field
 * should be.
 */

import type * as z from 'zod/mini';
import {AnyOffer} from '../contract/offers.ts';
import {isOffersName} from './offers.ts';
import {type Setting, SETTINGS} from './settings.ts';

/** The parts of zod's definitions that lead to fields. */
interface Definition {
  readonly shape?: Readonly<Record<string, z.ZodMiniType>>;
  readonly valueType?: z.ZodMiniType;
  readonly innerType?: z.ZodMiniType;
  readonly element?: z.ZodMiniType;
  readonly options?: readonly z.ZodMiniType[];
  readonly in?: z.ZodMiniType;
  readonly out?: z.ZodMiniType;
}

/**
 * The fields of one table.
 * @param path - The path of the table: `["LIMITS"]`, `["OFFERS", "lamp", "title"]`.
 */
export function fieldNames([binding = '', ...path]: readonly string[]): readonly string[] {
  if (isOffersName(binding)) return path.length === 0 ? [] : [...new Set(namesIn(AnyOffer(), path.slice(1)))];
  const rows: Readonly<Record<string, Setting>> = SETTINGS;
  const schema = Object.hasOwn(rows, binding) ? rows[binding]?.schema : undefined;
  return schema ? [...new Set(namesIn(schema(), path))] : [];
}

function namesIn(schema: z.ZodMiniType | undefined, path: readonly string[]): readonly string[] {
  if (!schema) return [];
  const {shape, valueType, innerType, element, options = [], in: before, out: after} = schema._zod.def as Definition;
  const [first, ...rest] = path;
  if (shape) {
    if (first === undefined) return Object.keys(shape);
    return Object.hasOwn(shape, first) ? namesIn(shape[first], rest) : [];
  }
  if (valueType ?? element) return first === undefined ? [] : namesIn(valueType ?? element, rest);
  return [innerType, ...options, before, after].flatMap((inner) => namesIn(inner, path));
}

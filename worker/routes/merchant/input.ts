/** Reads the input of the merchant API's endpoints. */

import type * as z from 'zod/mini';
import type {Config} from '../../config/config.ts';
import type {MerchantEndpoint} from '../../contract/endpoint.ts';
import {parseJsonBody, readBody, validate} from '../../http/body.ts';
import {readEmptyTables} from '../../http/empty-tables.ts';
import {ApiError, fieldError} from '../../http/errors.ts';
import {type ExtendedOperation, takesParameter} from '../../platform/extra-parameters.ts';
import type {RouteContext} from '../route.ts';

/**
 * Reads an endpoint's input: some fields from the path, the others from the query of a GET or from a JSON body. Unknown
 * and misplaced fields are refused.
 * @throws {ApiError} 400 if the input cannot be read, 413 if it is too large, 422 with the invalid fields.
 */
export async function readInput<E extends MerchantEndpoint>(
  endpoint: E,
  request: Request,
  {params, url}: Pick<RouteContext, 'params' | 'url'>,
): Promise<z.output<E['input']>> {
  const pathFields = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, decodeUrlPart(value)]));
  const query = readQuery(url);
  if (endpoint.method !== 'GET') refuseFields(Object.keys(query), 'Send this field in the body, not in the query.');
  const otherFields = endpoint.method === 'GET' ? query : await readFields(request, endpoint.input);
  const repeated = Object.keys(pathFields).filter((name) => Object.hasOwn(otherFields, name));
  refuseFields(repeated, 'This field is already in the path.');
  return validate(endpoint.input, {...otherFields, ...pathFields}) as z.output<E['input']>;
}

function refuseFields(names: readonly string[], message: string): void {
  if (names.length > 0) throw new ApiError('invalid_request', {fields: names.map((path) => ({path, message}))});
}

/** Reads the query. A repeated parameter becomes a list; validation refuses it, because no query field is a list. */
function readQuery({search, searchParams}: URL): Record<string, unknown> {
  if (search === '') return {};
  decodeUrlPart(search.replaceAll('+', ' '));
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

const EMPTY_LIST = /\[\s*\]/;

/** Reads the fields of a JSON object. A request without a body has no fields. */
async function readFields(request: Request, schema: z.ZodMiniType): Promise<Record<string, unknown>> {
  const text = await readBody(request);
  if (text === '') return {};
  const sent = parseJsonBody(text, request);
  const value = EMPTY_LIST.test(text) ? readEmptyTables(schema, sent) : sent;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw fieldError('invalid_request', '', 'The body is not a JSON object.');
  }
  return value as Record<string, unknown>;
}

function decodeUrlPart(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ApiError('invalid_request', {
      status: 400,
      cause,
      fields: [{path: '', message: 'The URL is not percent-encoded UTF-8.'}],
    });
  }
}

/** Refuses parameters that the operator has not listed, or that the operation has itself. @throws {ApiError} 422. */
export function requireAgreed(
  extra: Readonly<Record<string, string>> | undefined,
  operation: ExtendedOperation,
  {extraParameters}: Pick<Config, 'extraParameters'>,
): void {
  const fields = Object.keys(extra ?? {}).flatMap((name) => {
    const path = `extra.${name}`;
    if (!extraParameters.has(name)) return [{path, message: 'EXTRA_PARAMETERS does not list this name.'}];
    return takesParameter(operation, name)
      ? []
      : [{path, message: 'The contract has this parameter: use its own field.'}];
  });
  if (fields.length > 0) throw new ApiError('invalid_request', {fields});
}

/** Refuses an IBAN of a country that the operator has not listed. @throws {ApiError} 422 with the path of the field. */
export function requireIbanCountry(iban: string, path: string, {ibanCountries}: Pick<Config, 'ibanCountries'>): void {
  const country = iban.slice(0, 2);
  if (!ibanCountries.has(country))
    throw fieldError('invalid_request', path, `IBAN_COUNTRIES does not list ${country}.`);
}

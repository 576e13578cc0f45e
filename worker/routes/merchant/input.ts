import type * as z from 'zod';
import type {Endpoint} from '../../contract/merchant/endpoint.ts';
import {ApiError} from '../../http/errors.ts';
import {parseJsonBody, readBody} from '../../http/json.ts';
import {validate} from '../../http/validation.ts';

/**
 * The endpoint's input: fields named in the path, the rest in the query of a GET or in a JSON body. What is not
 * expected is refused, wherever it stands.
 * @throws {ApiError} 400 where it cannot be read at all, 413, 422 with the fields that are wrong.
 */
export async function readInput<E extends Endpoint>(
  endpoint: E,
  request: Request,
  segments: Readonly<Record<string, string>>,
): Promise<z.output<E['input']>> {
  const named = Object.fromEntries(Object.entries(segments).map(([name, value]) => [name, decodeAddress(value)]));
  const query = readQuery(request);
  const misplaced = endpoint.method === 'GET' ? [] : Object.keys(query);
  if (misplaced.length > 0)
    throw new ApiError('invalid_request', {
      fields: misplaced.map((path) => ({path, message: 'This field does not stand in the address.'})),
    });
  const given = endpoint.method === 'GET' ? query : await readFields(request);
  const twice = Object.keys(named).filter((name) => Object.hasOwn(given, name));
  if (twice.length > 0)
    throw new ApiError('invalid_request', {
      fields: twice.map((path) => ({path, message: 'This field stands in the address.'})),
    });
  return validate(endpoint.input, {...given, ...named}) as z.output<E['input']>;
}

/** Every parameter once; one that is named several times becomes a list, which no field of a query is. */
function readQuery(request: Request): Record<string, unknown> {
  const {search, searchParams} = new URL(request.url);
  decodeAddress(search.replaceAll('+', ' '));
  return Object.fromEntries(
    [...new Set(searchParams.keys())].map((name) => {
      const values = searchParams.getAll(name);
      return [name, values.length === 1 ? values[0] : values];
    }),
  );
}

/** The fields of a JSON object; no body at all is one without fields. */
async function readFields(request: Request): Promise<Record<string, unknown>> {
  const text = await readBody(request);
  if (text === '') return {};
  const value = parseJsonBody(text, request);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ApiError('invalid_request', {fields: [{path: '', message: 'The body is not a JSON object.'}]});
  }
  return value as Record<string, unknown>;
}

function decodeAddress(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    throw new ApiError('invalid_request', {
      status: 400,
      cause,
      fields: [{path: '', message: 'The address is not percent-encoded UTF-8.'}],
    });
  }
}

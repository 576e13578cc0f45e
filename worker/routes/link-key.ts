/** The key with which an isolate makes and checks the names of links (`lib/link-name.ts`). */

import {orUnavailable} from '../http/errors.ts';
import type {Objects} from '../objects.ts';

const keys = new WeakMap<Objects, string>();

/** Reads the key once. @throws {ApiError} `temporarily_unavailable` if it cannot be read. */
export async function linkKey(objects: Objects): Promise<string> {
  const key = keys.get(objects) ?? (await orUnavailable(objects.offers().linkKey()));
  keys.set(objects, key);
  return key;
}

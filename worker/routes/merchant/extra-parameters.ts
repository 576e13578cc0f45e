/** Checks the parameters that a merchant's server sends in addition to those of the contract. */

import type {Config} from '../../config/config.ts';
import {ApiError} from '../../http/errors.ts';

/** Refuses parameters that the operator has not listed. @throws {ApiError} 422 with the names. */
export function requireAgreed(
  extra: Readonly<Record<string, string>> | undefined,
  {extraParameters}: Pick<Config, 'extraParameters'>,
): void {
  const unknown = Object.keys(extra ?? {}).filter((name) => !extraParameters.has(name));
  if (unknown.length === 0) return;
  throw new ApiError('invalid_request', {
    fields: unknown.map((name) => ({path: `extra.${name}`, message: 'EXTRA_PARAMETERS does not list this name.'})),
  });
}

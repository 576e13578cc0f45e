/** The merchant's services: `/phs` knows them by code, mobile billing by number. */

import type {Config} from '../config/config.ts';
import type {Endpoint} from '../contract/merchant/endpoint.ts';
import {ApiError} from '../http/errors.ts';
import {log} from '../lib/log.ts';

type Services = Pick<Config, 'services'>;

/** @throws {ApiError} `unknown_service` where the input names a service that is not ours. */
export function checkService({service: read}: Endpoint, input: unknown, config: Services): void {
  const {service} = input as {readonly service?: string};
  if (read === 'code') requireServiceCode(config, service ?? '');
  if (read === 'billing') requireBilledService(config, service ?? '');
}

/** @throws {ApiError} `unknown_service` */
export function requireServiceCode({services}: Services, service: string): string {
  if (!services.has(service)) throw unknownService();
  return service;
}

/** A service that mobile billing knows. */
export interface BilledService {
  /** Its code: of several with one number always the same, for what is about the same is one object's. */
  readonly service: string;
  /** Its number in mobile billing. */
  readonly serviceId: string;
}

/**
 * Finds a service of mobile billing; null where none of the merchant's is it.
 * @param by its number, or a name that is its code or its number.
 */
export function findBilledService(
  {services}: Services,
  by: {readonly name: string} | {readonly serviceId: string},
): BilledService | null {
  const sought = 'serviceId' in by ? by.serviceId : (services.get(by.name) ?? {micropaymentId: by.name}).micropaymentId;
  for (const [service, {micropaymentId}] of services)
    if (micropaymentId !== null && micropaymentId === sought) return {service, serviceId: micropaymentId};
  return null;
}

/**
 * A service of mobile billing by its code or number.
 * @param missing what the caller hears where none of the merchant's is it: a session that names one the operator has taken
 * away since hears `misconfigured`, and the operator sees it in the log.
 * @throws {ApiError} `missing`
 */
export function requireBilledService(
  config: Services,
  name: string,
  missing: 'unknown_service' | 'misconfigured' = 'unknown_service',
): BilledService {
  const found = findBilledService(config, {name});
  if (found) return found;
  if (missing === 'unknown_service') throw unknownService();
  log('error', missing, {names: ['SERVICES']});
  throw new ApiError(missing);
}

function unknownService(): ApiError {
  return new ApiError('unknown_service', {
    fields: [{path: 'service', message: 'This is not among the merchant’s services.'}],
  });
}

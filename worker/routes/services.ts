/** Finds the merchant's services: `/phs` identifies them by code, mobile billing by number. */

import type {Config} from '../config/config.ts';
import type {ServiceLimit} from '../config/service-limit.ts';
import type {MerchantEndpoint} from '../contract/endpoint.ts';
import {ApiError, fieldError} from '../http/errors.ts';
import {log} from '../lib/log.ts';

type Services = Pick<Config, 'services'>;
type BilledServices = Pick<Config, 'services' | 'billedServices'>;

/** Checks the service that an endpoint's input names. @throws {ApiError} `unknown_service` */
export function checkService({service: kind}: MerchantEndpoint, input: unknown, config: BilledServices): void {
  const {service} = input as {readonly service?: string};
  if (kind === 'code') requireServiceCode(config, service ?? '');
  if (kind === 'billing') requireBilledService(config, service ?? '');
}

/** @throws {ApiError} `unknown_service` */
export function requireServiceCode({services}: Services, service: string): string {
  if (!services.has(service)) throw unknownService();
  return service;
}

/** Checks a list of services. @throws {ApiError} `unknown_service` */
export function requireServices(limit: ServiceLimit, {services}: Services): void {
  const unknown = limit?.findIndex((service) => !services.has(service)) ?? -1;
  if (unknown >= 0) throw unknownService(`services.${unknown}`);
}

/** A service of mobile billing. */
export interface BilledService {
  /**
   * Service code. If several codes share a number, this is always the first of them, so that one Durable Object handles
   * the number.
   */
  readonly service: string;
  /** Number in mobile billing. */
  readonly serviceId: string;
}

/**
 * Finds a service of mobile billing; null if the merchant has no such service.
 * @param by - The number, or a name that is either the code or the number.
 */
export function findBilledService(
  {services, billedServices}: BilledServices,
  by: {readonly name: string} | {readonly serviceId: string},
): BilledService | null {
  const serviceId =
    'serviceId' in by ? by.serviceId : (services.get(by.name) ?? {micropaymentId: by.name}).micropaymentId;
  const service = billedServices.get(serviceId ?? '');
  return service === undefined || serviceId === null ? null : {service, serviceId};
}

/**
 * Finds a service of mobile billing by its code or number.
 * @param missing - The error if the merchant has no such service: `misconfigured` for a session whose service the
 * operator has removed. `misconfigured` is also logged, for the operator.
 * @throws {ApiError} The error `missing`.
 */
export function requireBilledService(
  config: BilledServices,
  name: string,
  missing: 'unknown_service' | 'misconfigured' = 'unknown_service',
): BilledService {
  const found = findBilledService(config, {name});
  if (found) return found;
  if (missing === 'unknown_service') throw unknownService();
  log('error', missing, {names: ['SERVICES']});
  throw new ApiError(missing);
}

function unknownService(path = 'service'): ApiError {
  return fieldError('unknown_service', path, 'SERVICES does not include this service.');
}

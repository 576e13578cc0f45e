/** The merchant's services: `/phs` knows them by code, mobile billing by number. */

import {findBillingId, type Config} from '../config/config.ts';
import type {Endpoint} from '../contract/merchant/endpoint.ts';
import {ApiError} from '../http/errors.ts';

type Services = Pick<Config, 'services'>;

/** @throws {ApiError} `unknown_service` where the input names a service that is not ours. */
export function checkService({service: read}: Endpoint, input: unknown, config: Services): void {
  const {service} = input as {readonly service?: string};
  if (read === 'code') requireServiceCode(config, service ?? '');
  if (read === 'billing') requireBillingId(config, service ?? '');
}

/** @throws {ApiError} `unknown_service` */
export function requireServiceCode({services}: Services, service: string): string {
  if (!services.has(service)) throw unknownService();
  return service;
}

/** The number of a service in mobile billing, named by its code or by that number. @throws {ApiError} `unknown_service` */
export function requireBillingId(config: Services, service: string): string {
  const id = findBillingId(config, service);
  if (id === null) throw unknownService();
  return id;
}

/** The code of the service with this number, or the number where none of ours has it. */
export function serviceCodeOfBillingId({services}: Services, id: string): string {
  for (const [code, {micropaymentId}] of services) if (micropaymentId === id) return code;
  return id;
}

function unknownService(): ApiError {
  return new ApiError('unknown_service', {
    fields: [{path: 'service', message: 'This is not among the merchant’s services.'}],
  });
}

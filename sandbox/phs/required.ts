import {parseAmount} from '../amounts.ts';
import type {Parameters} from '../request.ts';
import {findService, type Service} from '../services.ts';
import {Refusal} from './phs-statuses.ts';

/** A required parameter; an empty one is as good as missing. */
export function requireText(parameters: Parameters, name: string): string {
  const text = parameters.text(name);
  if (text === '') throw new Refusal('400');
  return text;
}

/** The service that `code` names. */
export function requireService(parameters: Parameters): Service {
  const service = findService(requireText(parameters, 'code'));
  if (!service) throw new Refusal('ERR_005');
  return service;
}

/** Kuruş of an amount above zero. */
export function requireAmount(text: string): number {
  const amountKurus = parseAmount(text);
  if (!amountKurus) throw new Refusal('ERR_017');
  return amountKurus;
}

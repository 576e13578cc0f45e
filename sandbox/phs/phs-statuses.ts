/** The statuses of /phs, and the parameter checks that refuse a request with one of these statuses. */

import {findService, type Service} from '../config.ts';
import {parseAmount} from '../formats.ts';
import type {Parameters} from '../request.ts';

/** The values of the JSON field `status` under /phs and their messages (observed.md, "/phs response status"). */
export const PHS_STATUSES = {
  '000': 'Success',
  '400': 'Missing Parameter',
  '404': 'Page Not Found',
  '500': 'Internal Server Error',
  ERR_001: 'Invalid Authorization',
  ERR_002: 'IP Not Allow',
  ERR_004: 'Invalid Merchant',
  ERR_005: 'Invalid Service',
  ERR_006: 'Invalid Transaction',
  ERR_007: 'Invalid Request',
  ERR_008: 'Bad Request',
  ERR_009: 'Service Not Enabled',
  ERR_010: 'Internal Server Error',
  ERR_011: 'Invalid Bank',
  ERR_012: 'Amount cannot be empty if type is SALES',
  ERR_013: 'Invalid Payment Notification',
  ERR_014: 'Invalid Order',
  ERR_015: 'Empty Token',
  ERR_016: 'Invalid Token',
  ERR_017: 'Invalid Amount',
  ERR_018: 'There is spending recording',
  ERR_019: 'Your Order is exists',
  ERR_020: 'Unauthorized Access',
  ERR_021: 'Amount Limit Exceed',
  ERR_039: 'Invalid Action',
} as const satisfies Record<string, string>;

export type PhsStatus = keyof typeof PHS_STATUSES;

export function isPhsStatus(text: string): text is PhsStatus {
  return Object.hasOwn(PHS_STATUSES, text);
}

/** Thrown to end an operation with an error body. The detail follows the message after a colon. */
export class PhsRefusal extends Error {
  constructor(
    readonly status: Exclude<PhsStatus, '000'>,
    readonly detail?: string,
  ) {
    super(detail === undefined ? PHS_STATUSES[status] : `${PHS_STATUSES[status]}:${detail}`);
  }
}

/** Returns a required parameter. Refuses a missing or empty parameter with status 400. */
export function requireText(parameters: Parameters, name: string): string {
  const text = parameters.text(name);
  if (text === '') throw new PhsRefusal('400');
  return text;
}

/** Finds the service that the parameter `code` names. */
export function requireService(parameters: Parameters): Service {
  const service = findService(requireText(parameters, 'code'));
  if (!service) throw new PhsRefusal('ERR_005');
  return service;
}

/** Reads an amount above zero as kuruş. */
export function requireAmount(text: string): number {
  const amountKurus = parseAmount(text);
  if (!amountKurus) throw new PhsRefusal('ERR_017');
  return amountKurus;
}

/** Explains what a failed check means and what to do, without the platform's message, which may contain a key. */

import type {CheckName} from '../contract/checks.ts';
import {lookUp} from '../lib/look-up.ts';
import type {EgressConfig} from '../platform/egress.ts';
import {type Fault, isRateLimited, type PlatformFailure} from '../platform/failure.ts';
import {failed, type Finding, warning} from './check.ts';

type EgressKind = EgressConfig['kind'];

/** The bindings that the advice names when a check cannot connect. */
const ADDRESSES = {
  token: 'PHS_URL',
  services: 'PHS_URL',
  banks: 'PHS_URL',
  landing: 'LANDING_URL',
  micropayment: 'MICROPAYMENT_URL',
  payment_page: 'PAYMENT_PAGE_URL',
} as const satisfies Partial<Record<CheckName, string>>;

/** A check that fails as its calls to the platform do. */
export type CalledCheck = keyof typeof ADDRESSES;

const DOWN = 'If it is right, the platform is down.';
const ELSEWHERE = 'Host and path must be as in the platform’s own documents. If they are, report this to the platform.';

const FAULTS: Readonly<Record<Fault, {readonly message: string; readonly otherwise: string}>> = {
  timeout: {message: 'The platform did not answer in time.', otherwise: DOWN},
  connection: {message: 'The platform cannot be reached.', otherwise: DOWN},
  redirect: {
    message: 'The platform redirects, and redirects are never followed.',
    otherwise: ELSEWHERE,
  },
  unreadable: {message: 'The reply cannot be read: something other than the platform answers.', otherwise: ELSEWHERE},
  no_content: {
    message: 'The platform answers without content (HTTP 204), which is no list.',
    otherwise: 'Ask the platform.',
  },
};

const register = (host: string) =>
  `Have the IP address of ${host} registered at the platform, and set MERCHANT_IP to it.`;

/** For each egress, how to register the IP address from which calls leave. */
const REGISTER_ADDRESS: Readonly<Record<EgressKind, string>> = {
  direct:
    'A Worker has no IP address to register. Set EGRESS so that calls leave from a registered one (docs/fixed-address.md).',
  binding: register('the host behind the binding PLATFORM'),
  relay: register('the relay’s calls (see egress)'),
};

interface FailedCheck {
  readonly check: CalledCheck;
  readonly failure: PlatformFailure;
  readonly egress: EgressKind;
  /** The service's code, if the check is about a service. */
  readonly service?: string;
}

export function explainFailure({check, failure, egress, service = ''}: FailedCheck): Finding {
  switch (failure.outcome) {
    case 'unknown':
      return explainFault(check, failure, egress);
    case 'unsent':
      return explainUnsent(check, failure);
    case 'unconfigured':
      return failed('This interface is not set up.', `Set ${ADDRESSES[check]} and the bindings that belong to it.`);
    case 'refused':
      return explainRefusal(check, failure, egress, service);
  }
}

type FailureOf<O extends PlatformFailure['outcome']> = Extract<PlatformFailure, {outcome: O}>;

function explainFault(check: CalledCheck, {fault, httpStatus}: FailureOf<'unknown'>, egress: EgressKind): Finding {
  if (httpStatus !== undefined)
    return failed(
      `The platform or a proxy answers with an internal error (HTTP ${httpStatus}).`,
      `If the error lasts, ask the platform. If it was never reached before, check ${ADDRESSES[check]}.`,
    );
  return failed(
    FAULTS[fault].message,
    `Check ${egress === 'relay' ? 'the egress (see above) and ' : ''}${ADDRESSES[check]}. ${FAULTS[fault].otherwise}`,
  );
}

function explainUnsent(check: CalledCheck, {tried, limit}: FailureOf<'unsent'>): Finding {
  if (tried)
    return failed(
      'The relay did not send this call.',
      `The relay’s log says why. Compare ${ADDRESSES[check]} in its environment with the Worker’s.`,
    );
  if (limit)
    return warning(
      `Not checked: the calls that the platform allows per ${limit} are used up.`,
      limit === 'day'
        ? 'GET /merchant/v1/quotas says when more calls are available.'
        : 'Run the doctor again in a moment.',
    );
  return failed('The platform fails, so the Worker does not call it for now.', 'Run the doctor again in a minute.');
}

function explainRefusal(
  check: CalledCheck,
  failure: FailureOf<'refused'>,
  egress: EgressKind,
  service: string,
): Finding {
  const {status, httpStatus = 0} = failure;
  if (isRateLimited(failure))
    return warning(
      `The platform accepts no more such calls for now. (${status})`,
      'Run the doctor again in a moment, or tomorrow if the calls of the day are used up.',
    );
  const known =
    lookUp(REFUSALS, status) ??
    (check === 'micropayment' ? MICROPAYMENT[httpStatus] : undefined) ??
    (httpStatus >= 500 ? brokenPlatform : undefined);
  if (known)
    return failed(
      `${known.message(service)} (${status})`,
      typeof known.action === 'string' ? known.action : known.action[egress],
    );
  const action =
    'Ask the platform what this status means for this merchant. The log line `platform_call` has the call.';
  return check === 'landing'
    ? warning(
        `The landing interface answers with status ${status}, which does not show whether it accepts our ` +
          'authorization.',
        action,
      )
    : failed(`The platform refuses the call with status ${status}.`, action);
}

interface RefusalAdvice {
  readonly message: (service: string) => string;
  readonly action: string | Readonly<Record<EgressKind, string>>;
}

/** Names the services that were checked, and says how many were not. */
export function nameChecked(checked: readonly string[], count: number): string {
  const left = count - checked.length;
  return checked.join(', ') + (left > 0 ? `; ${left} more not checked, to save calls` : '');
}

const brokenPlatform: RefusalAdvice = {
  message: () => 'The platform has an internal error.',
  action: 'If the error lasts, ask the platform.',
};
const unknownMerchant: RefusalAdvice = {
  message: () => 'The platform does not know this merchant.',
  action: 'Check MERCHANT_ID.',
};
const unknownAddress: RefusalAdvice = {
  message: () => 'The platform does not accept the IP address of our calls.',
  action: REGISTER_ADDRESS,
};
const refusedToken: RefusalAdvice = {
  message: () => 'The platform refuses the token that it has just issued.',
  action: 'Check that MERCHANT_ID and PHS_URL belong to the same platform.',
};

const REFUSALS: Readonly<Record<string, RefusalAdvice>> = {
  ERR_001: unknownMerchant,
  ERR_004: unknownMerchant,
  ERR_020: unknownMerchant,
  ERR_002: unknownAddress,
  ERR_007: {
    message: () => 'The platform refuses the key made from MERCHANT_ID, MERCHANT_IP and MERCHANT_KEY.',
    action:
      'Check all three. MERCHANT_IP must be the IP address registered at the platform: the platform reports any ' +
      'other address as a wrong key.',
  },
  ERR_005: {
    message: (service) => `The platform does not know the service ${service}.`,
    action: 'Check its code in SERVICES.',
  },
  ERR_009: {
    message: (service) => `The platform has not enabled the service ${service}.`,
    action: 'Ask the platform to enable it.',
  },
  ERR_010: brokenPlatform,
  '500': brokenPlatform,
  '005': brokenPlatform,
  ERR_015: refusedToken,
  ERR_016: refusedToken,
  '404': {message: () => 'This interface does not exist at this URL.', action: 'Check PHS_URL; it ends in /phs.'},
  '029': {
    message: () => 'The landing interface refuses our authorization.',
    action: 'Check LANDING_AUTHORIZATION and MERCHANT_ID.',
  },
  '030': unknownAddress,
};

const MICROPAYMENT: Readonly<Record<number, RefusalAdvice>> = {
  401: {
    message: () => 'Mobile billing requires credentials.',
    action:
      'Set MICROPAYMENT_HEADERS, MICROPAYMENT_QUERY or MICROPAYMENT_BODY to the credentials that the platform gave you.',
  },
  403: unknownAddress,
  404: {
    message: (service) => `Mobile billing does not know the service ${service}.`,
    action: 'Check the service’s micropaymentId in SERVICES, and MICROPAYMENT_URL.',
  },
  400: {
    message: (service) => `Mobile billing does not accept the service ${service}.`,
    action: 'Check the service’s micropaymentId in SERVICES, and MERCHANT_ID.',
  },
  500: brokenPlatform,
  503: brokenPlatform,
};

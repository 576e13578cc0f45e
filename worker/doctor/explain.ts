/** What a failed check means and what to do, in words. The platform's own message is left out: it may quote a key. */

import type {CheckName, Check} from '../contract/merchant/doctor.ts';
import type {EgressConfig} from '../platform/egress.ts';
import type {Fault, PlatformFailure} from '../platform/failure.ts';

type EgressKind = EgressConfig['kind'];

/** The bindings behind each check. */
const ADDRESSES: Readonly<Record<CheckName, string>> = {
  configuration: 'the base addresses',
  egress: 'the base addresses',
  token: 'PHS_URL',
  services: 'PHS_URL',
  banks: 'PHS_URL',
  landing: 'LANDING_URL',
  micropayment: 'MICROPAYMENT_URL',
  clock: 'the base addresses',
};

const DOWN = 'If it is right, the platform is down: nothing needs doing here.';
const ELSEWHERE =
  'Host and path must be those of the platform’s own papers. If they are, tell the platform what answers there.';

const FAULTS: Readonly<Record<Fault, {readonly message: string; readonly otherwise: string}>> = {
  timeout: {message: 'The platform did not answer in time.', otherwise: DOWN},
  connection: {message: 'The platform cannot be reached.', otherwise: DOWN},
  redirect: {
    message: 'The platform redirects, which is never followed: it would carry our credentials elsewhere.',
    otherwise: ELSEWHERE,
  },
  unreadable: {message: 'What answers is not the platform: its reply cannot be read.', otherwise: ELSEWHERE},
};

/** Which address that is, and how to have it registered, by the way calls leave. */
const REGISTER_ADDRESS: Readonly<Record<EgressKind, string>> = {
  direct:
    'A Worker has no address of its own that could be registered there: let calls leave from one that is, by EGRESS (docs/fixed-address.md).',
  binding:
    'Have the address of the host behind the binding PLATFORM registered at the platform, and set MERCHANT_IP to it.',
  relay:
    'Have the address that the relay leaves from (see egress) registered at the platform, and set MERCHANT_IP to it.',
};

interface FailedCheck {
  readonly check: CheckName;
  readonly failure: PlatformFailure;
  readonly egress: EgressKind;
  /** The code that was asked for, where the check is about one. */
  readonly service?: string;
}

export function explainFailure({check, failure, egress, service = ''}: FailedCheck): Finding {
  switch (failure.outcome) {
    case 'unknown':
      return explainFault(check, failure, egress);
    case 'unsent':
      return explainUnsent(check, failure);
    case 'unconfigured':
      return failed('This interface is not set up.', `Set ${ADDRESSES[check]} and what belongs to it.`);
    case 'refused':
      return explainRefusal(check, failure, egress, service);
  }
}

type FailureOf<O extends PlatformFailure['outcome']> = Extract<PlatformFailure, {outcome: O}>;

function explainFault(check: CheckName, {fault, httpStatus}: FailureOf<'unknown'>, egress: EgressKind): Finding {
  if (httpStatus !== undefined)
    return failed(
      `What answers has an error of its own (HTTP ${httpStatus}): the platform is down, or what stands in front of it.`,
      `Nothing needs doing here; ask the platform if it lasts. If it was never reached, check ${ADDRESSES[check]}.`,
    );
  return failed(
    FAULTS[fault].message,
    `Check ${egress === 'relay' ? 'egress above, and ' : ''}${ADDRESSES[check]}. ${FAULTS[fault].otherwise}`,
  );
}

function explainUnsent(check: CheckName, {tried, limit}: FailureOf<'unsent'>): Finding {
  if (tried)
    return failed(
      'The relay did not send this.',
      `Its log says why; compare ${ADDRESSES[check]} in its environment with the Worker’s.`,
    );
  if (limit === 'second')
    return warning(
      'Not asked: others make all the calls that the platform takes in a second.',
      'Ask again in a moment.',
    );
  if (limit === 'day')
    return warning(
      'Not asked: the calls that the platform takes in a day are used up.',
      'GET /merchant/v1/quotas says when there are more.',
    );
  return failed('The platform fails and is left alone for now.', 'Ask again in a minute.');
}

function explainRefusal(
  check: CheckName,
  {status, httpStatus = 0}: FailureOf<'refused'>,
  egress: EgressKind,
  service: string,
): Finding {
  if (httpStatus === 429)
    return warning(
      `The platform takes no more such calls for now. (${status})`,
      'Ask again in a moment; where the day’s calls are used up, tomorrow.',
    );
  const known =
    REFUSALS[status] ??
    (check === 'micropayment' ? MICROPAYMENT[httpStatus] : undefined) ??
    (httpStatus >= 500 ? brokenPlatform : undefined);
  if (known)
    return failed(
      `${known.message(service)} (${status})`,
      typeof known.action === 'string' ? known.action : known.action[egress],
    );
  const ask = 'Ask the platform what it means for this merchant; the log has the call beside `platform_call`.';
  return check === 'landing'
    ? warning(
        `The landing interface answers with the status ${status}, which does not say whether it takes our authorization.`,
        ask,
      )
    : failed(`The platform refuses with the status ${status}.`, ask);
}

interface RefusalAdvice {
  readonly message: (service: string) => string;
  readonly action: string | Readonly<Record<EgressKind, string>>;
}

const brokenPlatform: RefusalAdvice = {
  message: () => 'The platform has an error of its own.',
  action: 'Nothing needs doing here; ask the platform if it lasts.',
};
const unknownMerchant: RefusalAdvice = {
  message: () => 'The platform does not know this merchant.',
  action: 'Check MERCHANT_ID.',
};
const unknownAddress: RefusalAdvice = {
  message: () => 'The platform does not know the address our calls come from.',
  action: REGISTER_ADDRESS,
};
const refusedToken: RefusalAdvice = {
  message: () => 'The platform does not take the token it just gave.',
  action: 'Check that MERCHANT_ID and PHS_URL belong to the same platform.',
};

const REFUSALS: Readonly<Record<string, RefusalAdvice>> = {
  ERR_001: unknownMerchant,
  ERR_004: unknownMerchant,
  ERR_020: unknownMerchant,
  ERR_002: unknownAddress,
  ERR_007: {
    message: () => 'The platform refuses the key that is made of MERCHANT_ID, MERCHANT_IP and MERCHANT_KEY.',
    action:
      'Check the three. MERCHANT_IP is the address registered at the platform: another address in the key looks like a wrong key.',
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
  '404': {message: () => 'There is no such interface at this address.', action: 'Check PHS_URL; it ends in /phs.'},
  '029': {
    message: () => 'The landing interface refuses our authorization.',
    action: 'Check LANDING_AUTHORIZATION, and MERCHANT_ID.',
  },
  '030': unknownAddress,
};

const MICROPAYMENT: Readonly<Record<number, RefusalAdvice>> = {
  401: {message: () => 'Mobile billing wants credentials.', action: 'Set MICROPAYMENT_HEADERS as the platform says.'},
  403: unknownAddress,
  404: {
    message: (service) => `Mobile billing does not know the service ${service}.`,
    action: 'Check its micropaymentId in SERVICES, and MICROPAYMENT_URL.',
  },
  400: {
    message: (service) => `Mobile billing does not take the service ${service}.`,
    action: 'Check its micropaymentId in SERVICES, and MERCHANT_ID.',
  },
  500: brokenPlatform,
  503: brokenPlatform,
};

/** What a check found, before it has a name. */
export type Finding = Omit<Check, 'name'>;

export const ok = (message: string): Finding => ({state: 'ok', message, action: null});
export const skipped = (message: string): Finding => ({state: 'skipped', message, action: null});
export const warning = (message: string, action: string): Finding => ({state: 'warning', message, action});
export const failed = (message: string, action: string): Finding => ({state: 'failed', message, action});

import {describeLimits} from '../../config/limits.ts';
import {ConfigError} from '../../config/mistakes.ts';
import {isUsableApiKey} from '../../config/secret-names.ts';
import {acceptedValues} from '../../config/variables.ts';
import {contextOf} from '../../context.ts';
import {CHECKS} from '../../contract/checks.ts';
import type {Check, Diagnosis, Limit} from '../../contract/merchant/doctor.ts';
import {Doctor} from '../../doctor/doctor.ts';
import {json} from '../../http/body.ts';
import {formatInstant} from '../../lib/time.ts';
import type {Call} from '../routing.ts';
import {authenticateRoot} from './auth.ts';
import type {Handlers} from './handler.ts';

export const doctorHandlers = {
  async examine(_input, context) {
    return toDiagnosis(await new Doctor(context).examine(), describeLimits(context.config.limits));
  },
} satisfies Partial<Handlers>;

/**
 * GET /merchant/v1/doctor with an invalid configuration: says what to correct. Nothing if the configuration is valid.
 * @throws {ApiError} `unauthorized` for all keys but the root key.
 */
export function explainConfiguration(call: Call): Response | undefined {
  try {
    contextOf(call.env);
    return undefined;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    call.row = {path: '/merchant/v1/doctor'};
    authenticateRoot(call.request, readApiKeys(call.env as unknown as Record<string, unknown>));
    return json<Diagnosis>(toDiagnosis(misconfigured(error), []));
  }
}

const toDiagnosis = (checks: Check[], limits: Limit[]): Diagnosis => ({
  healthy: checks.every(({state}) => state !== 'failed'),
  checks,
  limits,
  as_of: formatInstant(Date.now()),
});

/**
 * Reads the API keys directly from the bindings: the doctor requires a key even if the configuration is invalid. A weak
 * key gives no access. If the platform may be a real one, the sandbox's key, which everybody knows, gives no access
 * either.
 */
function readApiKeys(env: Record<string, unknown>): string[] {
  return acceptedValues(env, 'MERCHANT_API_KEY').filter((key) => isUsableApiKey(key, env));
}

function misconfigured({reasons}: ConfigError): Check[] {
  return CHECKS.map((name) =>
    name === 'configuration'
      ? {
          name,
          state: 'failed',
          message: reasons.join(' '),
          action: 'Correct these settings, and deploy. docs/deploy.md describes each of them.',
        }
      : {name, state: 'skipped', message: 'Not checked, because the configuration is invalid.', action: null},
  );
}

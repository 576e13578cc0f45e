import {describeLimits} from '../../config/limits.ts';
import {ConfigError} from '../../config/mistakes.ts';
import {isUsableApiKey} from '../../config/secret-names.ts';
import {acceptedValues} from '../../config/variables.ts';
import {type Context, contextOf} from '../../context.ts';
import {CHECKS} from '../../contract/checks.ts';
import type {MerchantEndpoint} from '../../contract/endpoint.ts';
import type {Check, Diagnosis, Limit} from '../../contract/merchant/doctor.ts';
import {Doctor} from '../../doctor/doctor.ts';
import {json} from '../../http/body.ts';
import {formatInstant} from '../../lib/time.ts';
import {authenticateRoot, authenticateServer, authorize} from './auth.ts';
import {readInput} from './input.ts';

/** GET /merchant/v1/doctor: checks the set-up and says what to fix. It works with an invalid configuration too. */
export async function showDoctor(row: MerchantEndpoint, request: Request, url: URL, env: Env): Promise<Response> {
  const context = readContext(env);
  if (context instanceof ConfigError) {
    authenticateRoot(request, readApiKeys(env as unknown as Record<string, unknown>));
    await readInput(row, request, {params: {}, url});
    return answerDiagnosis(misconfigured(context));
  }
  authorize(row, await authenticateServer(request, context));
  await readInput(row, request, {params: {}, url});
  return answerDiagnosis(await new Doctor(context).examine(), describeLimits(context.config.limits));
}

function answerDiagnosis(checks: Check[], limits: Limit[] = []): Response {
  return json<Diagnosis>({
    healthy: checks.every(({state}) => state !== 'failed'),
    checks,
    limits,
    as_of: formatInstant(Date.now()),
  });
}

function readContext(env: Env): Context | ConfigError {
  try {
    return contextOf(env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
}

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

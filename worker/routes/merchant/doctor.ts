import {ConfigError} from '../../config/config.ts';
import {isUsableApiKey} from '../../config/variables.ts';
import {type Context, contextOf} from '../../context.ts';
import type {Check, Diagnosis} from '../../contract/merchant/descriptions/doctor.ts';
import {CHECKS, doctor} from '../../contract/merchant/doctor.ts';
import {Doctor} from '../../doctor/doctor.ts';
import {json} from '../../http/body.ts';
import type {LimitRefusals} from '../../http/refusal-reporter.ts';
import {describeError, log} from '../../lib/log.ts';
import {formatInstant} from '../../lib/time.ts';
import {authenticateServer} from './auth.ts';
import {readInput} from './input.ts';

/** GET /merchant/v1/doctor: checks the set-up and says what to fix. It works with an invalid configuration too. */
export async function showDoctor(request: Request, env: Env): Promise<Response> {
  const context = readContext(env);
  if (context instanceof ConfigError) {
    await authenticateServer(request, readApiKeys(env as unknown as Record<string, unknown>));
    await readInput(doctor.examine, request, {});
    return answerDiagnosis(misconfigured(context));
  }
  const {config, egress, quotas, objects} = context;
  const saveToken = async (token: string) => objects.token().replace(token);
  await authenticateServer(request, config.merchantApiKeys);
  await readInput(doctor.examine, request, {});
  return answerDiagnosis(
    await new Doctor(config, {
      egress,
      quotas,
      saveToken,
      refusals: () => readRefusals(objects),
      now: Date.now,
    }).examine(),
  );
}

async function readRefusals(objects: Context['objects']): Promise<readonly LimitRefusals[] | null> {
  try {
    return (await objects.token().health()).refusals;
  } catch (error) {
    log('warn', 'internal_error', {error: describeError(error)});
    return null;
  }
}

function answerDiagnosis(checks: Check[]): Response {
  return json<Diagnosis>({
    healthy: checks.every(({state}) => state !== 'failed'),
    checks,
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
 * key, or the public key of the sandbox in front of a real platform, opens nothing.
 */
function readApiKeys(env: Record<string, unknown>): string[] {
  return [env['MERCHANT_API_KEY'], env['MERCHANT_API_KEY_PREVIOUS']].filter((key) => isUsableApiKey(key, env));
}

function misconfigured({bindings, reasons}: ConfigError): Check[] {
  const sentences = [`Missing or wrong: ${bindings.join(', ')}.`, ...reasons.map((reason) => `${reason}.`)];
  return CHECKS.map((name) =>
    name === 'configuration'
      ? {
          name,
          state: 'failed',
          message: sentences.join(' '),
          action: 'Set these bindings. docs/deploy.md describes each of them.',
        }
      : {name, state: 'skipped', message: 'Not checked, because the configuration is invalid.', action: null},
  );
}

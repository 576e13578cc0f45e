import {ConfigError} from '../../config/config.ts';
import {type Context, contextOf} from '../../context.ts';
import type {Check, Diagnosis} from '../../contract/merchant/descriptions/doctor.ts';
import {CHECKS, doctor} from '../../contract/merchant/doctor.ts';
import {Doctor} from '../../doctor/doctor.ts';
import {json} from '../../http/body.ts';
import {formatInstant} from '../../lib/time.ts';
import {authenticateServer} from './auth.ts';
import {readInput} from './input.ts';

/** GET /merchant/v1/doctor: checks the set-up and says what to fix. It works with an invalid configuration too. */
export async function showDoctor(request: Request, env: Env): Promise<Response> {
  const context = readContext(env);
  if (context instanceof ConfigError) {
    await authenticateServer(request, readApiKeys(env));
    await readInput(doctor.examine, request, {});
    return answerDiagnosis(misconfigured(context));
  }
  const {config, egress, quotas, objects} = context;
  await authenticateServer(request, config.merchantApiKeys);
  await readInput(doctor.examine, request, {});
  const webhooks = () => objects.outbox().listWebhooks();
  return answerDiagnosis(await new Doctor(config, {egress, quotas, webhooks, now: Date.now}).examine());
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

/** Reads the API keys directly from the bindings: the doctor requires a key even if the configuration is invalid. */
function readApiKeys(env: Env): string[] {
  const {MERCHANT_API_KEY: current, MERCHANT_API_KEY_PREVIOUS: previous} = env as unknown as Record<string, unknown>;
  return [current, previous].filter((key) => typeof key === 'string' && key.length >= 16) as string[];
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

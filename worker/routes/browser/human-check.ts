import type {TurnstileConfig} from '../../config/turnstile.ts';
import {clientIp} from '../../http/client-ip.ts';
import {ApiError} from '../../http/errors.ts';
import {verifyTurnstile} from '../../objects/subscriber/turnstile.ts';

interface HumanCheck {
  /** Token of the check, where the page sent one. */
  readonly human: string | undefined;
  /** What it has to be made for. */
  readonly action: string;
}

/** Has a visitor show to be human. @throws {ApiError} `human_check_required`, `human_check_failed` */
export async function checkHuman(
  turnstile: TurnstileConfig,
  {human, action}: HumanCheck,
  request: Request,
): Promise<void> {
  if (human === undefined) throw new ApiError('human_check_required');
  const {hostname} = new URL(request.headers.get('origin') ?? '');
  const passed = await verifyTurnstile(turnstile, {token: human, hostname, action, address: clientIp(request)});
  if (!passed) throw new ApiError('human_check_failed');
}

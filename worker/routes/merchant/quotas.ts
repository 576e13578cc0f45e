import {formatInstant} from '../../instant.ts';
import type {Handlers} from './handler.ts';

export const quotas: Handlers<'showQuotas'> = {
  async showQuotas(_input, {config, objects}) {
    const uses = await objects.quota().show();
    return {
      share: config.quotaShare,
      quotas: uses.map(({name, limit, used, left, waiting, resetsAt, pausedUntil}) => ({
        name, per_day: limit.day, per_second: limit.second, used, left, waiting, resets_at: formatOrNull(resetsAt), paused_until: formatOrNull(pausedUntil),
      })),
      as_of: formatInstant(Date.now()),
    };
  },
};

function formatOrNull(ms: number | null): string | null {
  return ms === null ? null : formatInstant(ms);
}

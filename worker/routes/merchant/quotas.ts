import {formatInstant, formatInstantOrNull} from '../../lib/time.ts';
import type {Handlers} from './handler.ts';

export const quotas: Handlers<'showQuotas'> = {
  async showQuotas(_input, {config, objects}) {
    const uses = await objects.quota().show();
    return {
      share: config.quotaShare,
      quotas: uses.map(({name, limit, used, left, waiting, resetsAt, pausedUntil}) => ({
        name,
        per_day: limit.day,
        per_second: limit.second,
        used,
        left,
        waiting,
        resets_at: formatInstantOrNull(resetsAt),
        paused_until: formatInstantOrNull(pausedUntil),
      })),
      as_of: formatInstant(Date.now()),
    };
  },
};

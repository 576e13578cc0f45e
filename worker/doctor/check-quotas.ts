/** Shows how many calls are left of the platform's daily limits. */

import {seriesName} from '../lib/metrics.ts';
import type {QuotaUsage} from '../objects/platform/quota.ts';
import type {Gauges, OwnCheck} from './check.ts';

export const quotas: OwnCheck<readonly QuotaUsage[]> = {
  read: ({objects}) => objects.platform().quotaUsage(),

  gauges(usage) {
    const gauges: Gauges = {};
    for (const {name: quota, left, limit} of usage) {
      if (left === null || limit.day === null) continue;
      gauges[seriesName('quota_left', {quota})] = left;
      gauges[seriesName('quota_limit', {quota})] = limit.day;
    }
    return gauges;
  },
};

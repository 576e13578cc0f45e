import type {QuotaSource} from '../../worker/platform/quotas.ts';

/** A platform that may be asked as often as one likes. */
export const unlimited: QuotaSource = {acquire: () => Promise.resolve({end() {}, release() {}})};

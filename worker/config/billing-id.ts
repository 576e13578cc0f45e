import type {Config} from './config.ts';

/** The number of a service in mobile billing, named by its code or by that number; null where none of ours has one. */
export function findBillingId({services}: Pick<Config, 'services'>, name: string): string | null {
  const known = services.get(name);
  if (known) return known.micropaymentId;
  return [...services.values()].some(({micropaymentId}) => micropaymentId === name) ? name : null;
}

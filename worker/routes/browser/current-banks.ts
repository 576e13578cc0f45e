import type {Context} from '../../context.ts';
import {platformTrouble} from '../../http/platform-trouble.ts';
import type {KnownBanks} from '../../objects/banks.ts';
import type {PlatformFailure} from '../../platform/failure.ts';

/** How long this isolate answers from memory before it asks the `Banks` object. */
const REMEMBERED_MS = 5_000;

const remembered = new WeakMap<Context['config'], KnownBanks & {readonly until: number}>();

/** The bank list, from this isolate's memory or the one object that asks the platform. @throws what `toError` makes of a failure. */
export async function currentBanks(
  {config, objects}: Context,
  toError: (failure: PlatformFailure) => Error | Promise<Error> = platformTrouble,
): Promise<KnownBanks> {
  const memory = remembered.get(config);
  if (memory && Date.now() < memory.until) return memory;
  const result = await objects.banks().current();
  if ('failure' in result) throw await toError(result.failure);
  if (!result.stale) remembered.set(config, {...result, until: Date.now() + REMEMBERED_MS});
  return result;
}

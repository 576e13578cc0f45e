import type {PlatformFailure} from './failure.ts';

/** The way out knows how a request failed better than a lost connection tells. */
export class EgressError extends Error {
  override readonly name = 'EgressError';

  /** @param reason in words of the way out's own, for the log. */
  constructor(
    readonly failure: PlatformFailure & {readonly outcome: 'unsent' | 'unknown'},
    readonly reason: string,
  ) {
    super(reason);
  }
}

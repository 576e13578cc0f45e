import type {Context} from '../context.ts';
import type {ControlInput} from './control-input.ts';

/** POST /_sandbox/tokens/expire */
export function expireTokens(_input: ControlInput, {tokens}: Context) {
  return {expired: tokens.expireAll()};
}

import type {Context} from '../context.ts';
import type {ControlInput} from './control-input.ts';

/** GET /_sandbox/calls: `key` and `token` are masked. */
export function listCalls(_input: ControlInput, {calls}: Context) {
  return {calls: calls.recent()};
}

import type {Context} from '../context.ts';
import type {ControlInput} from './control-input.ts';

/** POST /_sandbox/reset: orders, transfers, tokens, calls, faults and the clock are as on the first start. */
export function reset(_input: ControlInput, context: Context) {
  context.deleteAll();
  return {};
}

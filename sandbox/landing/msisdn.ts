import type {Context} from '../context.ts';
import type {Parameters} from '../request.ts';
import type {Answer} from '../visit.ts';
import {Refusal} from './landing-statuses.ts';
import {heedMagic} from './required.ts';

/** /get-msisdn (subscriptions 4.C, rule 4): whose number a token of the network's stands for. */
export function getMsisdn(parameters: Parameters, {numberTokens}: Context): Answer {
  const owner = numberTokens.find(parameters.text('token'));
  if (!owner) throw new Refusal('027');
  heedMagic(owner, 'pin');
  return {msisdn: owner.msisdn, operator: owner.operator};
}

import type {ShownNumber} from '../../../worker/contract/browser/subscription-answers.ts';
import {toProblem} from '../../core/problem.ts';
import {Query} from '../../core/query.ts';
import {isText, shape} from '../../core/worker-client.ts';
import {NUMBER_REFUSALS} from '../enrollment-facts.ts';
import type {Enrollment} from '../enrollment.ts';

const isShownNumber = shape<ShownNumber>({msisdn: isText});

/** The masked number that the token of an enrollment stands for; null if the shopper must type a number. */
export function recognizedNumber(enrollment: Enrollment): Query<ShownNumber | null> {
  if (enrollment.recognized) return enrollment.recognized;
  const query = new Query(async (signal) => {
    const {token: number} = enrollment.facts;
    const {one_click, token} = await enrollment.offer.wait(signal);
    if (!one_click || !number) return null;
    try {
      return await enrollment.client.ask('/v1/numbers', {
        validate: isShownNumber,
        signal,
        token,
        body: {number_token: number},
      });
    } catch (thrown) {
      if (!signal.aborted && NUMBER_REFUSALS.test(toProblem(thrown).code)) return null;
      throw thrown;
    }
  });
  query.owner = enrollment;
  return (enrollment.recognized = query);
}

import type {Context} from '../context.ts';
import {answerFailure, refuse, succeed} from '../micropayment/envelope.ts';
import {Failure} from '../micropayment/errors.ts';
import {noteMistake} from '../note-mistake.ts';
import type {Base, Visit} from '../visit.ts';
import {answerHostedPage} from './pages.ts';
import {createPageToken} from './pay.ts';

const TOKEN_PATH = '/pay/token';

/** The hosted payment page: the token that begins a payment (subscriptions 4.B) and the pages that shoppers see. */
export const pay: Base = {
  operationOf: (path) => (path === TOKEN_PATH ? TOKEN_PATH : undefined),
  isPage: (path) => path !== TOKEN_PATH,
  refuse: (status, context) => refuse(status, context, 'respnseTime'),
  answer: async (request, context) =>
    request.path === TOKEN_PATH ? answerToken(request, context) : answerHostedPage(request, context),
};

async function answerToken(request: Visit, context: Context): Promise<Response> {
  try {
    if (request.method !== 'POST') throw new Failure('API_ERR_1005');
    return succeed(await createPageToken(request, context), context, 'respnseTime');
  } catch (error) {
    if (error instanceof Failure) return answerFailure(error, context, 'respnseTime');
    noteMistake(request.path, error);
    return answerFailure(new Failure('API_ERR_9000'), context, 'respnseTime');
  }
}

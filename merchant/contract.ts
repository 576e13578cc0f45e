/**
 * What the merchant API takes and answers: the types of the Worker's contract, and nothing else of the house. A package
 * carries them written out, so that a merchant installs neither the contract nor the library its schemas are made with.
 */

import type {EndpointAnswer, EndpointInput, EndpointName} from '../worker/contract/merchant/endpoints.ts';
import type {MerchantProblem} from '../worker/contract/problem.ts';

export type {QueuedCommand} from '../worker/contract/merchant/commands.ts';
export type {EndpointName} from '../worker/contract/merchant/endpoints.ts';
export type {MerchantEvent} from '../worker/contract/merchant/events.ts';
export type {PlatformWords} from '../worker/contract/problem.ts';

/** What each endpoint takes. */
export type Inputs = {[N in EndpointName]: EndpointInput<N>};

/** What each endpoint answers. */
export type Answers = {[N in EndpointName]: EndpointAnswer<N>};

/** What the Worker refuses with. */
export type ErrorCode = MerchantProblem['code'];

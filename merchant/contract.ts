/**
 * Types of the merchant API's inputs and answers, imported from the Worker's contract. This is the client's only file
 * that imports from the Worker. The build writes the expanded types into the package, so a merchant needs neither the
 * contract nor its schema library.
 */

import type {EndpointAnswer} from '../worker/contract/merchant/descriptions.ts';
import type {EndpointInput, EndpointName} from '../worker/contract/merchant/endpoints.ts';
import type {MerchantProblem} from '../worker/contract/problem.ts';

export type {QueuedCommand} from '../worker/contract/merchant/descriptions/commands.ts';
export type {EndpointName} from '../worker/contract/merchant/endpoints.ts';
export type {MerchantEvent} from '../worker/contract/merchant/descriptions/events.ts';
export type {PlatformWords} from '../worker/contract/problem.ts';

/** The input of each endpoint. */
export type Inputs = {[N in EndpointName]: EndpointInput<N>};

/** The answer of each endpoint. */
export type Answers = {[N in EndpointName]: EndpointAnswer<N>};

/** The error codes of the Worker. */
export type ErrorCode = MerchantProblem['code'];

/**
 * What merchants' servers and the Worker say to each other, in our words: snake_case, ids as text, money as decimal
 * text, times as ISO 8601 with `+03:00`. The client `vezne/merchant` imports the types only.
 */
export type {QueuedCommand} from './merchant/commands.ts';
export type {Endpoint} from './merchant/endpoint.ts';
export type {EndpointAnswer, EndpointInput, EndpointName, Endpoints} from './merchant/endpoints.ts';
export type {MerchantEvent} from './merchant/events.ts';
export type {MerchantProblem, PlatformWords} from './problem.ts';
export type {Diagnosis} from './merchant/doctor.ts';

/** The calls that reached the platform since the test began, or since `startCounting`. */

export {calls as platformCalls, clearCalls as startCounting} from '../../../support/sandbox.ts';

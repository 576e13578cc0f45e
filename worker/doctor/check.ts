/** What a check is: a fact, and what the doctor, `/health` and the metrics say about it. */

import type {Config} from '../config/config.ts';
import type {Context} from '../context.ts';
import type {Check} from '../contract/merchant/doctor.ts';

/** The doctor's result of a check, without the check's name. */
export type Finding = Omit<Check, 'name'>;

export const ok = (message: string): Finding => ({state: 'ok', message, action: null});
export const skipped = (message: string): Finding => ({state: 'skipped', message, action: null});
export const warning = (message: string, action: string): Finding => ({state: 'warning', message, action});
export const failed = (message: string, action: string): Finding => ({state: 'failed', message, action});

/** A problem that `/health` shows. */
export interface Problem {
  readonly text: string;
  /** Whether `/health` answers 503, so that a monitor rings. */
  readonly rings: boolean;
}

export const ringing = (text: string): Problem => ({text, rings: true});

/** The values of metrics, by the name of their series. */
export type Gauges = Record<string, number>;

/** A check that does not call the platform. Functions get null for a fact that could not be read. */
export interface OwnCheck<Fact> {
  /** An error means that the object that has the fact does not answer. */
  read(context: Context): Fact | Promise<Fact>;
  /** What the doctor finds. */
  find?(fact: Fact | null, context: Context): Finding;
  /** What is wrong, for `/health`. */
  problems?(fact: Fact): readonly Problem[];
  /** What has the fact, for the problem that `/health` shows if it does not answer. Left out if it always does. */
  readonly source?: string;
  /** What `/health` shows without calling it a problem. */
  notices?(fact: Fact | null, config: Config): readonly string[];
  gauges?(fact: Fact): Gauges;
}

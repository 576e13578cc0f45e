/** What the driver and the stage exchange. Times are epoch milliseconds. */

export interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** An object of the Worker. */
export interface ObjectName {
  readonly className: string;
  readonly id: string;
}

/** Ends the first object of the class that reads the time, waits or calls so many more times. */
export interface ArmedAbort {
  readonly className: string;
  hooks: number;
}

type Target = 'shop' | 'platform';

export type StageOp =
  | {readonly op: 'request'; readonly id: string; readonly to: Target; readonly request: HttpRequest}
  /**
   * Carries a held request to its target, and reports the target's answer. Then the caller gets the answer (`answer`),
   * its connection breaks (`lose`), or it still waits (`keep`).
   */
  | {readonly op: 'carry'; readonly id: number; readonly to: Target; readonly ending: 'answer' | 'lose' | 'keep'}
  /** Answers a held request; with null, its connection breaks. */
  | {readonly op: 'release'; readonly id: number; readonly answer: HttpAnswer | null}
  | ({readonly op: 'alarm' | 'end'} & ObjectName);

export interface StageStep {
  readonly now: number;
  readonly seed: number;
  readonly ops: readonly StageOp[];
  /** Replaces what is armed; null disarms. */
  readonly armed?: ArmedAbort | null;
}

export type StageEvent =
  | {readonly type: 'held'; readonly id: number; readonly request: HttpRequest}
  | {readonly type: 'answer'; readonly id: string; readonly answer: HttpAnswer | null; readonly error?: string}
  | {readonly type: 'carried'; readonly id: number; readonly answer: HttpAnswer | null}
  | ({readonly type: 'alarm' | 'alarm-ended'; readonly at: number | null} & ObjectName)
  | ({readonly type: 'aborted'} & ObjectName);

export interface StageAnswer {
  readonly events: readonly StageEvent[];
  /** When the next timer is due; null without timers. */
  readonly timerAt: number | null;
  readonly log: readonly string[];
}

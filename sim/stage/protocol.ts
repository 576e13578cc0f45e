/** What the driver and the stage exchange. Times are epoch milliseconds. */

type Headers = Readonly<Record<string, string>>;
export type HttpRequest = Readonly<{url: string; method: string; headers: Headers; body: string | null}>;
export type HttpAnswer = Readonly<{status: number; headers: Headers; body: string}>;
/** An object of the Worker. */
export type ObjectName = Readonly<{className: string; id: string}>;
/** Ends the first object of the class that reads the time, waits or calls so many more times. */
export type ArmedAbort = {readonly className: string; hooks: number};

export type StageOp =
  | {readonly op: 'request'; readonly id: string; readonly request: HttpRequest}
  /** Carries a held request. Then its caller gets the answer, its connection breaks (`lose`), or it waits on (`keep`). */
  | {readonly op: 'carry'; readonly id: number; readonly ending: 'answer' | 'lose' | 'keep'}
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

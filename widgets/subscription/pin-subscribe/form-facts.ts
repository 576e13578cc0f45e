/** What the number form knows before the page requests a PIN, as one value, and every event that changes it. */

import type {ShownTerms} from '../offer.ts';

export type NumberField = 'operator' | 'number' | 'consent';

/** What is wrong with each field. `consentOutdated`: the shopper has agreed to terms that are not those of the session. */
export type FieldErrors = {
  readonly [field in NumberField]?: 'operatorMissing' | 'numberWrong' | 'consentMissing' | 'consentOutdated';
};

export interface FormFacts {
  readonly errors: FieldErrors;
  /** Whether the page has nothing else to do, so that it can load what the shopper needs next. */
  readonly isPageIdle?: boolean;
  /** Whether the shopper has just submitted these errors, so that a screen reader reads them out. */
  readonly isSubmitted?: boolean;
  /** Whether all fields are filled in correctly. Only then does a click on the button count for the funnel. */
  readonly isComplete?: boolean;
  /** Whether the page requests a PIN, or what it needs for that. */
  readonly isSending?: boolean;
  /** Whether the shopper has begun to fill in the form, for which the page needs a session. */
  readonly hasBegun?: boolean;
  /** The terms of the page's script that the shopper reads, until they are compared with the terms of the session. */
  readonly read?: ShownTerms | undefined;
  /** The terms that the shopper had read when they turned out to be outdated. */
  readonly outdated?: ShownTerms | undefined;
}

export type FormEvent =
  | {readonly is: 'page-idle'}
  /** The shopper has typed or selected something. @param shown - The terms of the page's script. */
  | {readonly is: 'edited'; readonly errors: FieldErrors; readonly shown: ShownTerms | undefined}
  | {readonly is: 'submitted'; readonly errors: FieldErrors}
  /** The page sends the form. */
  | {readonly is: 'sending'; readonly shown: ShownTerms | undefined}
  /** The page has the terms of the session. */
  | {readonly is: 'terms-read'; readonly terms: ShownTerms}
  | {readonly is: 'answered'; readonly isSent: boolean};

export function nextForm(form: FormFacts, event: FormEvent): FormFacts {
  switch (event.is) {
    case 'page-idle':
      return {...form, isPageIdle: true};
    case 'edited': {
      // Typing never adds an error.
      const left = Object.entries(form.errors).filter(([field]) => field in event.errors);
      const isComplete = Object.keys(event.errors).length === 0;
      return {...begin(form, event.shown), errors: Object.fromEntries(left), isComplete, isSubmitted: false};
    }
    case 'submitted':
      return {...form, errors: event.errors, isSubmitted: true};
    case 'sending':
      return {...begin(form, event.shown), isSending: true};
    case 'terms-read': {
      const {read} = form;
      const compared = {...form, read: undefined};
      if (!read || textOf(read) === textOf(event.terms)) return compared;
      return {...compared, outdated: read, errors: {consent: 'consentOutdated'}, isSubmitted: false};
    }
    case 'answered':
      return {...form, isSending: false, isComplete: !!form.isComplete && !event.isSent};
  }
}

function begin(form: FormFacts, shown: ShownTerms | undefined): FormFacts {
  return {...form, hasBegun: true, read: form.hasBegun ? form.read : shown};
}

/** What the shopper agrees to, as one text. */
function textOf({title, terms, price, period, trial_days}: ShownTerms): string {
  return JSON.stringify([title, terms, price, period, trial_days]);
}

/** What became of a notification of the platform's: what the platform is answered follows from it. */
export type NoticeOutcome =
  /** What is true of it is kept. */
  | 'stored'
  /** It is not what the platform's books or our own record say. */
  | 'wrong'
  /** The platform does not say so yet, or says nothing now. */
  | 'later';

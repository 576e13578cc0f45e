/** What `inject` gives: the global setups say so too, but they are Node's. */

import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly generatedCases: number;
  }
}

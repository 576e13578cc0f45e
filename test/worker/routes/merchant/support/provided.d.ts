/**
 * Types of the values that `inject` gives to tests. The global setups that provide these values belong to a different
 * TypeScript project.
 */

import 'vitest';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly generatedCases: number;
  }
}

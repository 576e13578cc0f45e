/** How many generated cases a test runs: a hundredth, unless a bench says otherwise. */

import process from 'node:process';
import type {TestProject} from 'vitest/node';

export default function setup(project: TestProject): void {
  project.provide('generatedCases', Number(process.env['VEZNE_GENERATED_CASES'] ?? 200));
}

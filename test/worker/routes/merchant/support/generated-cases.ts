/** Provides the number of generated cases: 200, or the number that a benchmark sets. */

import process from 'node:process';
import type {TestProject} from 'vitest/node';

export default function setup(project: TestProject): void {
  project.provide('generatedCases', Number(process.env['VEZNE_GENERATED_CASES'] ?? 200));
}

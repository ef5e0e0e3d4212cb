/** Describes in a few words how a step of a scenario ended, for the sentences of findings. */
import type { StepResult } from './entry.ts';

/** @returns a part of a sentence, such as "it was refused with HTTP 403" */
export function describe(result: StepResult): string {
  switch (result.kind) {
    case 'done':
      return 'it succeeded';
    case 'refused':
      return `it was refused with HTTP ${result.status}${result.code ? `, code ${result.code}` : ''}${result.reason ? ` (${result.reason})` : ''}`;
    case 'failed':
      return `${result.what}: ${result.detail}`;
    case 'absent':
      return 'the server has no such step';
  }
}

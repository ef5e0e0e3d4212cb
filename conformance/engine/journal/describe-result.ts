import type { StepResult } from './entry.ts';

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

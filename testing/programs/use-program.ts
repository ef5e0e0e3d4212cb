/** A program in a process of its own for one vitest test, at whose end it is killed. */
import { onTestFinished } from 'vitest';
import { type EndedProgram, type ProgramOptions, type StartedProgram, startProgram } from './program.ts';

export function useProgram(args: readonly string[], options?: ProgramOptions): StartedProgram {
  const program = startProgram(args, options);
  onTestFinished(() => void program.child.kill('SIGKILL'));
  return program;
}

export const runProgram = (args: readonly string[], options?: ProgramOptions): Promise<EndedProgram> =>
  useProgram(args, options).ended;

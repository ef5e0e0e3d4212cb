/** Runs a command line: as a function of its parts, so that tests need no process, and as a process. */
import { type Command, CommanderError } from 'commander';
import { systemClock } from '#protocol/time/clock.ts';
import { programName } from '#service/process/command-line/program-name.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import { CommandError, type CommandParts, EXIT, ReaderGone } from './command.ts';

/**
 * Run one command line whose first word names a command.
 * @param argv without node and script
 * @returns the exit code: 0 done, 1 failed, 2 used wrongly, 130 interrupted
 */
export async function runCommand(argv: readonly string[], parts: CommandParts): Promise<number> {
  const program = createProgram(parts);
  try {
    await program.parseAsync(argv, { from: 'user' });
    return EXIT.done;
  } catch (error) {
    // Commander has printed its error already.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage;
    if (error instanceof ReaderGone) return EXIT.done;
    if (!(error instanceof CommandError)) throw error;
    parts.err.write(`${error.message}\n`);
    return error.exitCode;
  }
}

function createProgram(parts: CommandParts): Command {
  const { out, err } = parts;
  const program = toolCommand(programName('ehr'))
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) })
    .helpCommand(false);
  for (const add of [addAudit, addBackup]) add(program, parts);
  return program;
}

/** Run the command line, with signals as interruptions, and set the exit code of the process, which ends when nothing is left to do. */
export async function runCommandProcess(argv: readonly string[]): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
  process.exitCode = await runCommand(argv, {
    out: process.stdout,
    err: process.stderr,
    env: process.env,
    clock: systemClock,
    signal: interrupt.signal,
  });
}

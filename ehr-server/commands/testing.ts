/** Helpers for the tests of the commands: run a command line in this process and collect its output. */
import { readdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import { manualClock } from '#protocol/time/clock.ts';
import type { CommandParts } from './command.ts';
import { runCommand } from './run.ts';

export type Said = { code: number; out: string; err: string };

/** The files of a directory, except those that SQLite keeps beside a database and reading leaves behind. */
export function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .sort();
}

/** Collect the text written to a stream. `onText` is called with each piece. */
export function collector(onText: (text: string) => void = () => undefined): Writable & { text(): string } {
  let all = '';
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      all += chunk;
      onText(chunk);
      done();
    },
  });
  return Object.assign(stream, { text: () => all });
}

/** Run a command line. Unless `parts` say otherwise, the environment is empty and contains no password. */
export async function run(argv: readonly string[], parts: Partial<CommandParts> = {}): Promise<Said> {
  const [out, err] = [collector(), collector()];
  const signal = new AbortController().signal;
  const code = await runCommand(argv, { out, err, env: {}, clock: manualClock(), signal, ...parts });
  return { code, out: out.text(), err: err.text() };
}

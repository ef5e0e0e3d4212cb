/**
 * `npm run soak`: stores millions of sessions on a fast clock until they expire and are purged, and reports
 * whether file and memory stay bounded.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholeNumberArgument } from '#service/process/argument.ts';
import { toolCommand } from '#service/process/tool-command.ts';
import { type Measure, soak } from './soak.ts';

const { sessions, days, seed } = toolCommand('npm run soak --')
  .description(
    'Stores sessions on a fast clock until they have run out and were purged; file and memory must stay bounded.',
  )
  .option('--sessions <count>', 'sessions in all', wholeNumberArgument(1, 1_000_000_000), 10_000_000)
  .option('--days <count>', "days on the server's clock over which they are spread", wholeNumberArgument(3, 10_000), 20)
  .option('--seed <number>', 'same seed, same tokens', wholeNumberArgument(0, 2 ** 31), 1)
  .addHelpText('after', '\nThe retention is one day. A line is printed for each day. Exit code 1: something grew.')
  .parse()
  .opts<{ sessions: number; days: number; seed: number }>();

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());
const folder = mkdtempSync(join(tmpdir(), 'soak-'));
try {
  const started = performance.now();
  const show = (measure: Measure) => {
    const seconds = (performance.now() - started) / 1_000;
    process.stdout.write(`${lineOf(measure)}  ${Math.round(measure.sessions / seconds)} sessions/s\n`);
  };
  const plan = { sessions, days, seed, file: join(folder, 'ehr.sqlite') };
  const { end, problems } = await soak(plan, show, interrupt.signal);
  if (interrupt.signal.aborted) {
    process.stdout.write('Interrupted.\n');
    process.exitCode = 130;
  } else {
    process.stdout.write(`all run out: ${lineOf(end)}\n`);
    for (const problem of problems) process.stdout.write(`✗ ${problem}\n`);
    if (problems.length === 0)
      process.stdout.write('✓ Rows, file, log and memory stayed bounded, and everything that ran out was purged.\n');
    process.exitCode = problems.length === 0 ? 0 : 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function lineOf({ day, sessions: stored, rows, fileBytes, logBytes, memoryBytes }: Measure): string {
  const mib = (bytes: number) => `${(bytes / 2 ** 20).toFixed(1)} MiB`;
  return `day ${day}: ${stored} sessions stored, ${rows} rows, file ${mib(fileBytes)}, log ${mib(logBytes)}, memory ${mib(memoryBytes)}`;
}

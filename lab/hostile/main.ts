/** `npm run hostile`: measures how the servers withstand hostile connections and bodies. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { InvalidArgumentError, Option } from 'commander';
import { systemClock } from '#protocol/time/clock.ts';
import { wholeNumberArgument } from '#service/process/argument.ts';
import { openFilesLimit } from '#service/process/open-files.ts';
import { toolCommand } from '#service/process/tool-command.ts';
import { ATTACKS, type AttackName, attackOf } from './attacks.ts';
import { type AttackRow, runHostile } from './run.ts';

const EXIT = { held: 0, broken: 1, failed: 3, interrupted: 130 } as const;
/** Open files that the server needs beside the attack, including those of the measured callers. */
const SERVER_FILE_COUNT = 200;
const NAMES = Object.keys(ATTACKS) as AttackName[];

type Flags = {
  connections: number;
  seconds: number;
  rounds: number;
  rateLimit: 'on' | 'off';
  only: AttackName[];
  json: string;
};

const flags = toolCommand('npm run hostile --')
  .description(
    'Attacks an EHR server by its connections and both servers by bodies that are dear to parse, and measures how long other callers wait and what memory stays.',
  )
  .option(
    '--connections <number>',
    'most connections of an attack; those that need fewer have fewer, as do all where fewer files may be open',
    wholeNumberArgument(10, 1_000_000),
    10_000,
  )
  .option('--seconds <number>', 'how long the caller is measured, each time', wholeNumberArgument(1, 600), 5)
  .option(
    '--rounds <number>',
    'rounds of quiet and attack, whose middle counts',
    wholeNumberArgument(1, 100),
    3,
  )
  .addOption(
    new Option('--rate-limit <rule>', 'whether the server limits the calls of an address')
      .choices(['on', 'off'])
      .default('on'),
  )
  .option('--only <list>', 'attacks, comma-separated; absent: all', readNames, NAMES)
  .option('--json <file>', 'where the figures go', 'test-results/hostile.json')
  .configureHelp({ optionDescription: ({ description }) => description })
  .addHelpText(
    'after',
    `
Attacks:
${NAMES.map((name) => `  ${name.padEnd(20)} ${attackOf(name).connections} × ${attackOf(name).what}`).join('\n')}

Run it while the machine is quiet. Exit codes: 0 all limits hold, 1 one is broken, 2 wrong flags, 3 the run could not be made, 130 interrupted.`,
  )
  .parse()
  .opts<Flags>();

const interrupt = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => interrupt.abort());

// Pending work of a stopped run must not keep the process alive.
process.exit(await run().catch(failure));

async function run(): Promise<number> {
  const room = (openFilesLimit() ?? Number.POSITIVE_INFINITY) - SERVER_FILE_COUNT;
  const connections = Math.min(flags.connections, room);
  if (
    connections <
    Math.min(flags.connections, Math.max(...flags.only.map((name) => attackOf(name).connections)))
  )
    process.stderr.write(
      `Warning: ${connections} connections at most; "ulimit -n" allows no more open files.\n`,
    );
  const rows = await runHostile({
    ...flags,
    attacks: flags.only,
    connections,
    milliseconds: flags.seconds * 1_000,
    clock: systemClock,
    signal: interrupt.signal,
    onStep: (what) => void process.stderr.write(`${what}\n`),
    onRow: (row) => void process.stdout.write(`${rowText(row)}\n`),
  });
  mkdirSync(dirname(flags.json), { recursive: true });
  writeFileSync(flags.json, `${JSON.stringify({ settings: flags, rows }, undefined, 2)}\n`);
  return rows.every(({ broken }) => broken.length === 0) ? EXIT.held : EXIT.broken;
}

/** Says how one attack was withstood: latencies in quiet and under attack, and memory before and after. */
function rowText({
  attack,
  rateLimit,
  connections,
  quiet,
  under,
  ratio,
  memory,
  report,
  broken,
}: AttackRow): string {
  const { before, peak, after } = memory;
  const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20);
  const replies = Object.entries(report.replies).map(([status, count]) => `${status}: ${count}`);
  return [
    `${attack}${rateLimit === 'on' ? '' : ', unlimited'}, ${connections} connections`,
    `  p50 ${quiet.p50.toFixed(1)} → ${under.p50.toFixed(1)} ms, p99 ${quiet.p99.toFixed(1)} → ${under.p99.toFixed(1)} ms, ratio ${ratio.toFixed(1)}`,
    `  in use ${mebibytes(before.used)} → ${mebibytes(after.used)} MiB, resident ${mebibytes(before.resident)} → ${mebibytes(after.resident)} MiB, at most ${mebibytes(peak)}`,
    `  replies ${replies.join(', ') || 'none'}`,
    ...broken.map((sentence) => `  BROKEN: ${sentence}`),
  ].join('\n');
}

function failure(error: unknown): number {
  const { aborted } = interrupt.signal;
  process.stderr.write(`${aborted ? 'Interrupted; nothing was left behind.' : (error as Error).message}\n`);
  return aborted ? EXIT.interrupted : EXIT.failed;
}

function readNames(text: string): AttackName[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => (NAMES as string[]).includes(name))) return names as AttackName[];
  throw new InvalidArgumentError(`They must be comma-separated names out of ${NAMES.join(', ')}.`);
}

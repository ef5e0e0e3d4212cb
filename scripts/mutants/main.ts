/**
 * `npm run mutants`: makes small changes to the code of a room, one at a time, and counts how many its tests
 * notice.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Stryker } from '@stryker-mutator/core';
import { Argument, InvalidArgumentError } from 'commander';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { root } from '../set-up/set-up.mjs';
import { type Room, rooms } from './rooms.ts';
import { MUTANT_SCORE_FILE, type RoomScore, readEquivalents, readScores, scoreOf } from './score.ts';

type StrykerOptions = ConstructorParameters<typeof Stryker>[0];
type MutantOptions = { sample: number; seed: number; json?: string };

const EXIT = { reached: 0, missed: 1, failed: 3, interrupted: 130 } as const;

/** Extra time (ms) for the tests of a mutant: a slow machine must not look like an endless loop. */
const EXTRA_TIMEOUT_MS = 120_000;

/** Time limit of a test: three times that of `npm test`. */
const TEST_TIMEOUT_MS = 60_000;

/** Time limit of the tests without a mutant. The tests of the checks run whole servers. */
const DRY_RUN_MINUTES = 30;

const width = Math.max(...rooms.map(({ name }) => name.length));
const list = rooms
  .map(({ name, about, wanted }) => `  ${name.padEnd(width)}  ${about} (${wanted} %)`)
  .join('\n');

const command = toolCommand('npm run mutants --')
  .description(
    'Changes the code of a room in small ways, one at a time (a mutant), and counts how many its tests notice.',
  )
  .addArgument(new Argument('<room>', 'whose code is changed').choices(rooms.map(({ name }) => name)))
  .option('--sample <number>', 'how many mutants to test, drawn at random', count, 100)
  .option('--seed <number>', 'another seed draws other mutants', count, 1)
  .option(
    '--json <file>',
    `write the score there too, beside those of other rooms; the documents read ${MUTANT_SCORE_FILE}`,
  )
  .addHelpText(
    'after',
    `
Rooms, with the least score:
${list}

Each mutant that no test notices is printed as it is found. A mutant that never ends counts as noticed.
The report is test-results/mutants/ROOM.html, and ROOM.json.

Exit codes: 0 the least score is reached, 1 it is not, 2 used wrongly, 3 the tests fail without any mutant, 130 interrupted.

Examples:
  npm run mutants -- protocol
  npm run mutants -- client-flow --sample 60 --seed 2`,
  )
  .parse();

process.exit(await run(command.processedArgs[0] as string, command.opts<MutantOptions>()));

async function run(name: string, { sample, seed, json }: MutantOptions): Promise<number> {
  const room = rooms.find((one) => one.name === name) as Room;
  process.chdir(root);
  // In a separate directory, which the project's own tests and checks do not read.
  mkdirSync('.data', { recursive: true });
  const sandboxes = mkdtempSync(join('.data', 'mutants-'));
  process.on('exit', (code) => {
    rmSync(sandboxes, { recursive: true, force: true });
    if (code === EXIT.interrupted) process.stderr.write('\nInterrupted; nothing was left behind.\n');
  });
  process.env.LOADED_FIRST = (room.importedLate ?? []).join(' ');
  // On a busy machine a slow test must not look like one that notices.
  process.env.TEST_TIMEOUT_MS = String(TEST_TIMEOUT_MS);
  // The tests of the checks run servers. One such run, without a mutant, is enough.
  process.env.RECORDED_RUNS ??= join(root, sandboxes, 'runs');
  const report = join('test-results', 'mutants', room.name);
  const results = await resultsOf(room, sandboxes, report, { count: sample, seed, root });
  // Stryker has already printed the reason.
  if (!results) return EXIT.failed;
  const score = scoreOf(results, { seed, root, equivalents: readEquivalents() });
  const { killed, timedOut, tested, equivalent, mutants } = score;
  const noticed = `${killed + timedOut} of ${tested - equivalent} noticed`;
  process.stdout.write(
    `${name}: ${score.score} % (${noticed}, ${equivalent} equivalent, drawn from ${mutants}); wanted ${room.wanted} %.\nReport: ${report}.html\n`,
  );
  if (json !== undefined) keep(resolve(root, json), room, score);
  return score.score >= room.wanted ? EXIT.reached : EXIT.missed;
}

/** Runs the tests of a room against a sample of its mutants. Undefined when they cannot be run. */
async function resultsOf(room: Room, sandboxes: string, report: string, mutantSample: object) {
  try {
    // Loaded only here: help and refusals do not need it.
    const core = await import('@stryker-mutator/core');
    return await new core.Stryker({
      mutate: [...room.sources],
      testFiles: [...room.tests],
      testRunner: 'strict-vitest',
      vitest: { related: false },
      plugins: ['@stryker-mutator/vitest-runner', join(root, 'scripts', 'mutants', 'stryker-plugin.mjs')],
      checkers: ['sample'],
      ignorers: ['red-changes'],
      reporters: ['unnoticed', 'html', 'json'],
      htmlReporter: { fileName: `${report}.html` },
      jsonReporter: { fileName: `${report}.json` },
      mutantSample,
      // TypeScript 7 has no interface through which Stryker could read a configuration, so it is given none.
      tsconfigFile: join(sandboxes, 'none.json'),
      ignorePatterns: ['/dist', '/.data', '/test-results', '/coverage'],
      tempDirName: sandboxes,
      concurrency: Math.max(2, availableParallelism() - 1),
      timeoutMS: EXTRA_TIMEOUT_MS,
      dryRunTimeoutMinutes: DRY_RUN_MINUTES,
      logLevel: 'error' as NonNullable<StrykerOptions['logLevel']>,
    }).runMutationTest();
  } catch {
    return undefined;
  }
}

function keep(file: string, room: Room, score: RoomScore): void {
  const scores = { ...readScores(existsSync(file) ? readFileSync(file, 'utf8') : ''), [room.name]: score };
  const sorted = rooms.flatMap(({ name }) => (scores[name] ? [[name, scores[name]] as const] : []));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`);
}

function count(text: string): number {
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new InvalidArgumentError('Please give a whole number from 1 on.');
  return Number(text);
}

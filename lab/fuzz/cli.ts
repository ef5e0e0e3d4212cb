/** The command line of the fuzzer, as a function that tests run without a process. */

import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import type { Clock } from '#protocol/time/clock.ts';
import { wholeNumberArgument } from '#service/process/argument.ts';
import { packageVersion, seeHelp } from '#service/process/program-name.ts';
import { SettingsError } from '#service/process/settings.ts';
import { type CampaignOptions, type Report, runCampaign } from './campaign.ts';
import { readFinding } from './findings.ts';
import type { Party } from './party-process.ts';
import { remoteSubject, type Subject, startSubject } from './subject.ts';
import { tryOne } from './trial.ts';

export type Output = NodeJS.WritableStream & { isTTY?: boolean };
export type CliParts = {
  out: Output;
  err: Output;
  signal: AbortSignal;
  clock: Clock;
  /** Returns the seed of a run that was given none. */
  freshSeed: () => number;
};

type Flags = { party: Party; target?: URL };
type RunFlags = Flags & { minutes: number; inputs: number; seed?: number; findings: string };

/** Exit codes: nothing broke, something broke, wrong usage, interrupted. */
const EXIT = { sound: 0, broken: 1, usage: 2, interrupted: 130 } as const;
const MINUTE_MS = 60_000;
const MAX_SEED = 2 ** 31 - 1;

/** Runs one command line and resolves to the exit code. */
export async function fuzzCli(argv: readonly string[], parts: CliParts): Promise<number> {
  let exitCode: number = EXIT.sound;
  const program = createProgram(parts, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.sound : EXIT.usage;
    if (!(error instanceof Error)) throw error;
    parts.err.write(`${error.message}\n`);
    return error instanceof SettingsError ? EXIT.usage : EXIT.broken;
  }
}

async function run(flags: RunFlags, parts: CliParts): Promise<number> {
  const { out, signal, clock } = parts;
  const seed = flags.seed ?? parts.freshSeed();
  out.write(`Fuzzing ${flags.target?.href ?? `the ${flags.party} server`} with seed ${seed}.\n`);
  const report = await runCampaign({
    seed,
    clock,
    signal,
    timeMs: flags.minutes * MINUTE_MS,
    inputs: flags.inputs,
    directory: flags.findings,
    start: () => startOf(flags),
    onProgress: progressOn(parts.err, clock),
    onFinding: ({ broke, alone }, file) =>
      out.write(
        `\nBroke: ${broke.join('\n  ')}\n  ${alone ? 'The smallest input' : 'Not by itself; the input'} is in ${file}\n`,
      ),
  });
  out.write(`\n${summary(report)}\n`);
  if (report.findings.length > 0) return EXIT.broken;
  return signal.aborted ? EXIT.interrupted : EXIT.sound;
}

async function replay(files: string[], flags: Flags, { out }: CliParts): Promise<number> {
  let exitCode: number = EXIT.sound;
  for (const file of files) {
    const { party, input } = readFinding(file);
    const subject = await startOf({ ...flags, party });
    try {
      const broke = await tryOne(subject, input);
      out.write(`${file}: ${broke.length === 0 ? 'nothing breaks' : `broke: ${broke.join('\n  ')}`}\n`);
      if (broke.length > 0) exitCode = EXIT.broken;
    } finally {
      await subject.stop();
    }
  }
  return exitCode;
}

function startOf({ party, target }: Flags): Promise<Subject> {
  return target ? Promise.resolve(remoteSubject(party, target)) : startSubject(party);
}

function progressOn(err: Output, clock: Clock): CampaignOptions['onProgress'] {
  let shown = clock.now();
  return ({ inputs, elapsed, findings, memory }) => {
    if (clock.now() - shown < (err.isTTY ? 500 : 20_000)) return;
    shown = clock.now();
    const line = `${Math.round(elapsed / 1_000)} s, ${inputs} inputs, ${findings} findings${memory ? `, ${megabytes(memory)}` : ''}`;
    err.write(err.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  };
}

function summary({ inputs, findings, memory }: Report): string {
  const counts = `${inputs.raw} inputs of raw bytes, ${inputs.rpc} of JSON-RPC, ${inputs.sequence} sequences of calls`;
  const grown =
    memory.early && memory.late
      ? ` Resident memory went from ${megabytes(memory.early)} to ${megabytes(memory.late)}.`
      : '';
  return `${counts}; ${findings.length === 0 ? 'nothing broke' : `${findings.length} findings`}.${grown}`;
}

function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_048_576)} MB`;
}

function createProgram(parts: CliParts, exit: (code: number) => void): Command {
  const { out, err } = parts;
  const party = () =>
    new Option('--party <name>', 'which server').choices(['ehr', 'auth']).default('ehr' satisfies Party);
  const target = () =>
    new Option('--target <url>', 'endpoint of a server that runs already; without sequences of calls').argParser(
      readUrl,
    );
  const program = new Command('npm run fuzz --')
    .version(packageVersion(), '--version', 'print the version')
    .description('Sends a server what no client would send, and watches that it keeps its contract.')
    .option('--minutes <number>', 'how long', wholeNumberArgument(0, 100_000), 10)
    .option(
      '--inputs <count>',
      'how many inputs at most',
      wholeNumberArgument(1, Number.MAX_SAFE_INTEGER),
      Number.MAX_SAFE_INTEGER,
    )
    .option(
      '--seed <number>',
      'same seed, same inputs; without it a new one, which is told',
      wholeNumberArgument(0, MAX_SEED),
    )
    .addOption(party())
    .addOption(target())
    .option('--findings <directory>', 'where findings are written', '.data/fuzz-findings')
    .addHelpText('after', EPILOGUE)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) })
    .showHelpAfterError(seeHelp('npm run fuzz --'))
    .action(async (flags: RunFlags) => exit(await run(flags, parts)));
  program
    .command('replay <files...>')
    .description('send the input of each finding once more, to a party started for it')
    .addOption(target())
    .action(async (files: string[], flags: Flags) => exit(await replay(files, flags, parts)));
  return program;
}

const EPILOGUE = `
Three kinds of inputs take turns: raw bytes over sockets, bodies that are nearly JSON-RPC, and sequences of calls beside
a model of what must be stored. Broken is what crashes, hangs, answers 5xx, internal_error or against the contract,
or changes what is stored though it refuses.

Examples:
  npm run fuzz -- --minutes 10 --seed 7
  npm run fuzz -- --party auth --minutes 2
  npm run fuzz -- --target http://127.0.0.1:4100/1.0-alpha/ --minutes 1
  npm run fuzz -- replay .data/fuzz-findings/ehr-rpc-7-123.json

Point --target at test systems alone. Exit codes: 0 nothing broke, 1 something did, 2 used wrongly, 130 interrupted.
`;

function readUrl(text: string): URL {
  if (!URL.canParse(text) || new URL(text).protocol !== 'http:') {
    throw new InvalidArgumentError('It must be an http address such as http://127.0.0.1:4100/1.0-alpha/.');
  }
  return new URL(text);
}

/** `npm run fuzz`: sends hostile input of every level to a server, or repeats a finding. */
import { InvalidArgumentError, Option } from 'commander';
import { systemClock } from '#protocol/time/clock.ts';
import { wholeNumberArgument } from '#service/process/command-line/argument.ts';
import { tellFailure, toolCommand } from '#service/process/command-line/tool-command.ts';
import { interrupted } from '../long-run.ts';
import type { FuzzedParty } from './input.ts';

type FuzzFlags = {
  party: FuzzedParty;
  target?: URL;
  minutes: number;
  inputs: number;
  seed?: number;
  findings: string;
};

const NAME = 'npm run fuzz --';
/** Exit codes: nothing broke, something broke, interrupted. */
const EXIT = { sound: 0, broken: 1, interrupted: 130 } as const;
const MINUTE_MS = 60_000;
const MAX_SEED = 2 ** 31 - 1;
const LINE_INTERVAL_MS = 10_000;

const interrupt = interrupted();

const program = toolCommand(NAME)
  .description('Sends a server what no client would send, and watches that it keeps its contract.')
  .option('--minutes <number>', 'how long', wholeNumberArgument(0, 100_000), 10)
  .option('--inputs <count>', 'how many inputs at most', wholeNumberArgument(1, MAX_SEED), MAX_SEED)
  .option(
    '--seed <number>',
    'same seed, same inputs; absent: a new one, which is told',
    wholeNumberArgument(0, MAX_SEED),
  )
  .addOption(new Option('--party <name>', 'which server').choices(['ehr', 'auth']).default('ehr'))
  .option('--target <url>', 'endpoint of a server that runs already; without sequences of calls', readUrl)
  .option('--findings <directory>', 'where findings are written', '.data/fuzz-findings')
  .addHelpText(
    'after',
    `
Three kinds of inputs take turns: raw bytes over sockets, bodies that are nearly JSON-RPC, and sequences of calls beside
a model of what must be stored. Broken is what crashes, hangs, answers 5xx, internal_error or against the contract,
or changes what is stored though it refuses.

Examples:
  npm run fuzz -- --minutes 10 --seed 7
  npm run fuzz -- --party auth --minutes 2
  npm run fuzz -- --target http://127.0.0.1:4100/1.0-alpha/ --minutes 1
  npm run fuzz -- replay .data/fuzz-findings/ehr-rpc-7-123.json

Point --target at test systems alone. Exit codes: 0 nothing broke, 1 something did, 2 used wrongly, 130 interrupted.`,
  )
  .action(async (flags: FuzzFlags) => {
    process.exitCode = await run(flags);
  });
program
  .command('replay <files...>')
  .description('send the input of each finding once more, to a party started for it')
  .action(async (files: string[]) => {
    const { replay } = await import('./replay.ts');
    process.exitCode = (await replay(files, (line) => void process.stdout.write(`${line}\n`)))
      ? EXIT.sound
      : EXIT.broken;
  });
await program.parseAsync().catch((error) => {
  process.exitCode = tellFailure(NAME, error);
});

async function run(flags: FuzzFlags): Promise<number> {
  // Load the servers, which the help does not need.
  const { runCampaign } = await import('./campaign.ts');
  const { remoteSubject, startSubject } = await import('./subject.ts');
  const { party, target, minutes, inputs, findings: directory } = flags;
  const seed = flags.seed ?? Math.floor(Math.random() * MAX_SEED);
  process.stdout.write(`Fuzzing ${target?.href ?? `the ${party} server`} with seed ${seed}.\n`);
  let shownAt = systemClock.now();
  const { inputs: sent, findings } = await runCampaign({
    seed,
    inputs,
    directory,
    clock: systemClock,
    signal: interrupt.signal,
    timeMs: minutes * MINUTE_MS,
    start: () => (target ? Promise.resolve(remoteSubject(party, target)) : startSubject(party)),
    onProgress(count, found) {
      if (systemClock.now() - shownAt < LINE_INTERVAL_MS) return;
      shownAt = systemClock.now();
      process.stderr.write(`${count} inputs, ${found} findings\n`);
    },
    onFinding({ broke, alone }, file) {
      const what = alone ? 'The smallest input' : 'Not by itself; the input';
      process.stdout.write(`\nBroke: ${broke.join('\n  ')}\n  ${what} is in ${file}\n`);
    },
  });
  const counts = `${sent.raw} inputs of raw bytes, ${sent.rpc} of JSON-RPC, ${sent.sequence} sequences of calls`;
  process.stdout.write(
    `\n${counts}; ${findings.length === 0 ? 'nothing broke' : `${findings.length} findings`}.\n`,
  );
  if (findings.length > 0) return EXIT.broken;
  return interrupt.signal.aborted ? EXIT.interrupted : EXIT.sound;
}

function readUrl(text: string): URL {
  if (URL.canParse(text) && new URL(text).protocol === 'http:') return new URL(text);
  throw new InvalidArgumentError('It must be an http address such as http://127.0.0.1:4100/1.0-alpha/.');
}

/** The command line of the timing run, as a function, so that it can be tested without a process. */
import { writeFileSync } from 'node:fs';
import { Command, CommanderError, Option } from 'commander';
import { seededRandom } from '#protocol/random.ts';
import { wholeNumberArgument } from '#service/argument.ts';
import { findingText, verdictText } from './report.ts';
import { type InstrumentName, runTiming } from './run.ts';

export type Output = NodeJS.WritableStream & { isTTY?: boolean };
export type CliParts = { out: Output; err: Output; signal: AbortSignal; stopwatch: () => number };

type Flags = { calls: number; seed: number; only?: InstrumentName; json?: string };

/** Exit codes: nothing can be told apart; something can, or nothing was proved; used wrongly; interrupted. */
const EXIT = { alike: 0, red: 1, usage: 2, interrupted: 130 } as const;

/** Runs one command line and resolves to the exit code. */
export async function timingCli(argv: readonly string[], parts: CliParts): Promise<number> {
  let exitCode: number = EXIT.alike;
  const program = createProgram(parts).action(async (flags: Flags) => {
    exitCode = await run(flags, parts);
  });
  try {
    await program.parseAsync(argv, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.alike : EXIT.usage;
    if (!parts.signal.aborted) throw error;
    parts.err.write('Interrupted; nothing was proved.\n');
    return EXIT.interrupted;
  }
}

async function run({ calls, seed, only, json }: Flags, { out, err, signal, stopwatch }: CliParts): Promise<number> {
  const { findings, verdict } = await runTiming({
    calls,
    instruments: only ? [only] : ['pipeline', 'http'],
    random: seededRandom(seed),
    stopwatch,
    signal,
    onProgress(what, done) {
      if (err.isTTY) err.write(`\r\u001b[K${what}: ${Math.floor((100 * done) / calls)} %`);
      else if (done === 0) err.write(`timing ${what}\n`);
    },
    onFinding(finding) {
      if (err.isTTY) err.write('\r\u001b[K');
      out.write(`${findingText(finding)}\n`);
    },
  });
  out.write(`${verdictText(verdict, calls)}\n`);
  if (json !== undefined) writeFileSync(json, `${JSON.stringify({ verdict, calls, seed, findings }, undefined, 2)}\n`);
  return verdict === 'cannot be told apart' ? EXIT.alike : EXIT.red;
}

function createProgram({ out, err }: CliParts): Command {
  return new Command('npm run timing --')
    .description('Tries to tell apart by time what the EHR server refuses in the same words.')
    .option('--calls <count>', 'how many calls to time for each pair', wholeNumberArgument(200, 1e8), 100_000)
    .option('--seed <number>', 'seed of the order and of the invented values', wholeNumberArgument(0, 2 ** 31 - 1), 1)
    .addOption(new Option('--only <instrument>', 'one instrument alone').choices(['pipeline', 'http']))
    .option('--json <file>', 'write the figures there, too')
    .addHelpText('after', EPILOGUE)
    .allowExcessArguments(false)
    .exitOverride()
    .configureOutput({ writeOut: (text) => void out.write(text), writeErr: (text) => void err.write(text) })
    .showHelpAfterError('See "npm run timing -- --help".');
}

const EPILOGUE = `
Each pair is timed in-process, which is sharper, and over HTTP. A variant with early returns is timed first: when it is
not told apart, the instrument is too blunt and the run is inconclusive. Run it while the machine is quiet.

Exit codes: 0 no pair can be told apart, 1 one can or the run is inconclusive, 2 used wrongly, 130 interrupted.
`;

/** The command line of the conformance kit. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError, Option } from 'commander';
import { commandLine, packageVersion, programName, seeHelp } from '#service/process/program-name.ts';
import { EXIT } from './engine/check/verdict.ts';
import { Stop } from './engine/cli/commands/common.ts';
import { exitCodeFor } from './engine/cli/commands/exit-code.ts';
import type { Role } from './engine/journal/run-file.ts';

const program = new Command(programName('conformance'))
  .version(packageVersion(), '--version', 'print the version')
  .description('Judges an authorization server, an EHR server or a client by what it does on the wire.')
  .configureHelp({ showGlobalOptions: true })
  .showHelpAfterError(seeHelp(programName('conformance')))
  .exitOverride()
  .addHelpText(
    'after',
    `\nExit codes: 0 conformant, 1 not conformant or inconclusive, 2 not set up, 3 a fault of the kit itself.\nBegin with: ${commandLine('conformance', 'init my-server.yaml')}`,
  );

const number = (what: string, min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`${what} must be a whole number from ${min} to ${max}.`);
  return value;
};

const roleOption = (help: string) =>
  new Option('--role <role>', help).choices(['auth-server', 'ehr-server', 'client']).default('auth-server');

/** The built file of this module, or the module itself where nothing was built. */
const PROGRAM = [new URL('../dist/bin/ehr-conformance.js', import.meta.url), new URL(import.meta.url)]
  .map((address) => fileURLToPath(address))
  .find((file) => existsSync(file)) as string;

// Without this, Node ends with 1: a fault of the kit would read as a verdict.
process.on('uncaughtException', (error) => process.exit(exitCodeFor(error)));

/** The exit code of the process; commands set it. */
let exitCode: number = EXIT.conformant;

program
  .command('auth-server')
  .description('play all scenarios against the server of an adapter file, and judge')
  .requiredOption('--config <file>', 'adapter file (YAML, JSON or module)')
  .option('--report <directory>', 'where the reports go', 'conformance-report')
  .option('--only <names>', 'only these checks, scenarios, requirements or clauses, comma-separated, such as 5.1')
  .option('--seed <number>', 'seed of phones and invented values', number('--seed', 0, 2 ** 31 - 1), 1)
  .option('--strict', 'count warnings as failures', false)
  .option('--baseline <file>', 'known failures that do not break the run')
  .option('--requirements <set>', 'judge by a frozen set of requirements, such as 1.0', 'latest')
  .option('--quiet', 'show no progress, and the result alone', false)
  .option('--list', 'list the checks and scenarios, and stop')
  .action(async (options) => {
    const { judgeAuthServer } = await import('./engine/cli/commands/auth-server.ts');
    exitCode = await judgeAuthServer({ ...options, doctorOnly: false, program: PROGRAM });
  });

program
  .command('ehr-server')
  .description('play all scenarios against an EHR server, and judge')
  .requiredOption('--config <file>', 'file about the EHR server (YAML or JSON)')
  .option('--report <directory>', 'where the reports go', 'conformance-report')
  .option('--only <names>', 'only these checks, requirements or clauses, comma-separated, such as 4.3')
  .option('--seed <number>', 'seed of the drawn sequences of calls', number('--seed', 0, 2 ** 31 - 1), 1)
  .option('--slow', 'wait in real time where the clock of the server cannot be moved', false)
  .option('--doctor', 'only find out whether the server can be judged at all', false)
  .option('--strict', 'count warnings as failures', false)
  .option('--baseline <file>', 'known failures that do not break the run')
  .option('--quiet', 'show no progress, and the result alone', false)
  .option('--list', 'list the checks and scenarios, and stop')
  .action(async ({ doctor, ...options }) => {
    const { judgeEhrServer } = await import('./engine/cli/commands/ehr-server.ts');
    exitCode = await judgeEhrServer({ ...options, doctorOnly: doctor, program: PROGRAM });
  });

program
  .command('client')
  .description('play both servers for a client, and judge')
  .requiredOption('--config <file>', 'file about the client (YAML or JSON)')
  .option('--report <directory>', 'where the reports go', 'conformance-report')
  .option('--only <names>', 'only these checks, requirements or clauses, comma-separated, such as 4.5')
  .option('--seed <number>', 'seed, for the report', number('--seed', 0, 2 ** 31 - 1), 1)
  .option('--doctor', 'only find out whether the client can be judged at all', false)
  .option('--strict', 'count warnings as failures', false)
  .option('--baseline <file>', 'known failures that do not break the run')
  .option('--quiet', 'show no progress, and the result alone', false)
  .option('--list', 'list the checks and scenarios, and stop')
  .action(async ({ doctor, ...options }) => {
    const { judgeClient } = await import('./engine/cli/commands/client.ts');
    exitCode = await judgeClient({ ...options, doctorOnly: doctor, program: PROGRAM });
  });

program
  .command('doctor')
  .description('find out whether the server can be judged at all')
  .requiredOption('--config <file>', 'adapter file')
  .option('--seed <number>', 'seed of phones and invented values', number('--seed', 0, 2 ** 31 - 1), 1)
  .action(async (options) => {
    const { judgeAuthServer } = await import('./engine/cli/commands/auth-server.ts');
    exitCode = await judgeAuthServer({ ...options, report: '', strict: false, doctorOnly: true, program: PROGRAM });
  });

program
  .command('watch')
  .description('judge live while you click through your own app')
  .requiredOption('--config <file>', 'file about the party; for --role auth-server only server, internal and ehr count')
  .addOption(roleOption('which party is judged'))
  .option('--report <directory>', 'where the reports go', 'conformance-report')
  .option(
    '--client-to-auth <port>',
    'where your client finds the authorization server',
    number('--client-to-auth', 0, 65_535),
    4191,
  )
  .option(
    '--client-to-ehr <port>',
    'where your client finds the EHR server',
    number('--client-to-ehr', 0, 65_535),
    4192,
  )
  .option(
    '--auth-to-ehr <port>',
    'with --role ehr-server: where your authorization server finds it',
    number('--auth-to-ehr', 0, 65_535),
    4193,
  )
  .option('--for-seconds <number>', 'end by itself after this time', number('--for-seconds', 1, 86_400))
  .option('--seed <number>', 'seed', number('--seed', 0, 2 ** 31 - 1), 1)
  .option('--strict', 'count warnings as failures', false)
  .action(async (options) => {
    const { watch } = await import('./engine/cli/commands/watch.ts');
    exitCode = await watch(options);
  });

program
  .command('replay <run>')
  .description('judge a saved run.json again, without any server')
  .option('--report <directory>', 'write the reports there too')
  .option('--only <names>', 'only these checks, scenarios, requirements or clauses')
  .option('--strict', 'count warnings as failures', false)
  .option('--baseline <file>', 'known failures')
  .option('--requirements <set>', 'judge by a frozen set of requirements, such as 1.0', 'latest')
  .action(async (run, options) => {
    const { replay } = await import('./engine/cli/commands/replay.ts');
    exitCode = replay(run, options);
  });

program
  .command('compare <before> <after>')
  .description('tell what changed between two report.json')
  .action(async (before, after) => {
    const { compareFiles } = await import('./engine/report/compare/compare.ts');
    const { text, exitCode: code } = compareFiles(before, after);
    process.stdout.write(`${text}\n`);
    exitCode = code;
  });

program
  .command('init [file]')
  .description('write a commented file about your server or client by asking a few questions')
  .addOption(roleOption('which party it is about'))
  .option('--force', 'write over a file that exists', false)
  .action(async (file: string | undefined, options: { force: boolean; role: Role }) => {
    const { runInit } = await import('./engine/cli/init/init.ts');
    await runInit({ input: process.stdin, output: process.stdout, file, ...options });
  });

// Only `auth-server` starts this.
program.command('partial-reports', { hidden: true }).action(async () => {
  const { writePartialReports } = await import('./engine/cli/commands/partial-reports.ts');
  await writePartialReports();
});

program
  .command('self-test')
  .description('prove the kit on servers whose faults are known')
  .option('--seed <number>', 'seed', number('--seed', 0, 2 ** 31 - 1), 1)
  .option('--part <number>', 'with --of: which part, counted from 0', number('--part', 0, 99))
  .option('--of <number>', 'play only every n-th variant', number('--of', 1, 100))
  .option('--only <text>', 'only variants whose id has this in it; with --pairs: or the two ids of one pair, as A,B')
  .option('--json <file>', 'write the rows and the score there')
  .addOption(roleOption('whose checks to prove'))
  .option(
    '--pairs [number]',
    'play pairs of defects in one authorization server instead, 200 unless given',
    number('--pairs', 1, 10_000),
  )
  .option('--whole', 'play whole runs against drawn defects, and tell which cause the reports name first', false)
  .option('--sample <number>', 'with --whole: how many defects are drawn', number('--sample', 1, 1_000), 20)
  .action(async ({ part, of, role, whole, sample, ...options }) => {
    const { runPairs, runSelfTest, runSelfTestOf, runWhole } = await import('./engine/cli/commands/self-test.ts');
    if (whole) {
      exitCode = await runWhole(role, { ...options, sample });
      return;
    }
    const share = of !== undefined && { share: { part: part ?? 0, of } };
    if (role !== 'auth-server') {
      if (options.pairs !== undefined)
        throw new Stop(`--pairs is for the authorization server alone: please leave out --role ${role}.`, {
          exitCode: EXIT.notSetUp,
        });
      exitCode = await runSelfTestOf(role, { ...options, ...share });
      return;
    }
    if (options.pairs !== undefined) {
      exitCode = await runPairs({ ...options, pairs: options.pairs === true ? 200 : options.pairs });
      return;
    }
    exitCode = await runSelfTest({ ...options, ...share });
  });

try {
  const list = process.argv.includes('--list');
  if (list) {
    const { listOfChecks } = await import('./engine/cli/commands/common.ts');
    const role = (['ehr-server', 'client'] as const).find((each) => process.argv[2] === each) ?? 'auth-server';
    process.stdout.write(`${listOfChecks(role)}\n`);
  } else {
    await program.parseAsync(process.argv);
  }
} catch (error) {
  exitCode = exitCodeFor(error);
}
process.exit(exitCode);

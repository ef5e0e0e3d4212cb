/** Defines the commands and options of the conformance kit. They are the same for every role. */
import { Command, InvalidArgumentError, Option } from 'commander';
import {
  commandLine,
  packageVersion,
  programName,
  seeHelp,
} from '#service/process/command-line/program-name.ts';
import { type Demands, EXIT } from '../check/verdict.ts';
import { entryOf, type RoleEntry } from '../role.ts';
import { exitCodeFor } from './commands/process.ts';

type Ends = (code: number) => void;

/** Returns the exit code of the process. */
export async function runCommandLine(argv: readonly string[], roles: readonly RoleEntry[]) {
  // Without this, Node would end with 1, which means "not conformant", after a fault of the kit itself.
  process.on('uncaughtException', (error) => process.exit(exitCodeFor(error)));
  let exitCode: number = EXIT.conformant;
  const ends: Ends = (code) => {
    exitCode = code;
  };
  const command = commandWith(roles);
  for (const entry of roles) addRole(command, entry, ends);
  addDoctor(command, roles, ends);
  addRerun(command, roles, ends);
  addReplay(command, roles, ends);
  addInit(command, roles, ends);
  addLearn(command, roles, ends);
  addSelfTest(command, roles, ends);
  try {
    // `--list` needs no --config, which the parser would demand. Without a role it lists the first role.
    if (argv.includes('--list')) await list(entryOf(roles, roles.find(({ id }) => id === argv[2])?.id));
    else await command.parseAsync(argv);
  } catch (error) {
    exitCode = exitCodeFor(error);
  }
  return exitCode;
}

async function list(entry: RoleEntry): Promise<void> {
  const { listOfChecks } = await import('./commands/chosen-checks.ts');
  process.stdout.write(`${listOfChecks(await entry.load())}\n`);
}

function commandWith(roles: readonly RoleEntry[]): Command {
  const all = roles.map(({ one }) => one);
  return new Command(programName('conformance'))
    .version(packageVersion(), '--version', 'print the version')
    .description(`Judges ${all.slice(0, -1).join(', ')} or ${all.at(-1)} by what it does on the wire.`)
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError(seeHelp(programName('conformance')))
    .exitOverride()
    .addHelpText(
      'after',
      `\nExit codes: 0 conformant and safe, 1 not conformant, not safe or inconclusive, 2 not set up, 3 a fault of the kit itself.\nBegin with: ${commandLine('conformance', 'init my-server.yaml')}`,
    );
}

function addDemands(command: Command): Command {
  return command
    .addOption(
      new Option('--gate <part>', 'fail by a broken interface alone, or by an essential weakness too')
        .choices(['interface', 'safety'])
        .default('safety'),
    )
    .option('--strict', 'count recommendations too', false);
}

const demandsOf = ({ gate, strict }: Demands): Demands => ({ gate, strict });

function addRole(command: Command, entry: RoleEntry, ends: Ends): void {
  addDemands(command.command(entry.id))
    .description(`play all scenarios with ${entry.one}, and judge`)
    .requiredOption('--config <file>', `file about ${entry.one}`)
    .option('--report <directory>', 'where the reports go', 'conformance-report')
    .option(
      '--only <names>',
      'only these checks, scenarios, requirements or clauses, comma-separated, such as 5.1',
    )
    .addOption(seedOption('seed of drawn calls and invented values'))
    .option(
      '--slow',
      'wait in real time for the clock of an EHR server that cannot be moved; with other roles the kit always waits',
      false,
    )
    .option('--doctor', 'only find out whether it can be judged at all', false)
    .option('--baseline <file>', 'known failures that do not break the run')
    .option('--quiet', 'show no progress, and the result alone', false)
    .option('--list', 'list the checks and scenarios, and stop')
    .action(async ({ doctor, ...options }) => {
      const { judgeRun } = await import('./commands/judge-run.ts');
      ends(
        await judgeRun({ ...options, demands: demandsOf(options), doctorOnly: doctor }, await entry.load()),
      );
    });
}

function addDoctor(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('doctor')
    .description('find out whether a party can be judged at all')
    .requiredOption('--config <file>', 'file about the party')
    .addOption(roleOption(roles, 'which party it is about'))
    .addOption(seedOption('seed of invented values'))
    .action(async ({ role, ...options }) => {
      const { runDoctor } = await import('./commands/judge-run.ts');
      ends(await runDoctor(options, await entryOf(roles, role).load()));
    });
}

function addRerun(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('rerun [report]')
    .description('play only what was red in a report.json again, conformance-report/report.json unless given')
    .option('--slow', 'wait in real time for the clock of an EHR server that cannot be moved', false)
    .action(async (report = 'conformance-report/report.json', options) => {
      const { rerun } = await import('./commands/rerun.ts');
      ends(await rerun(report, options, roles));
    });
}

function addReplay(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  addDemands(command.command('replay <run>'))
    .option('--baseline <file>', 'known failures that do not break the run')
    .description('judge a saved run.json again, without any server')
    .option('--report <directory>', 'write the reports there too')
    .option('--only <names>', 'only these checks, scenarios, requirements or clauses')
    .action(async (run, options) => {
      const { replay } = await import('./commands/report-run.ts');
      ends(await replay(run, { ...options, demands: demandsOf(options) }, roles));
    });
}

function addInit(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('init [file]')
    .description('write a commented file about your server or client by asking a few questions')
    .addOption(roleOption(roles, 'which party it is about'))
    .option('--from <har>', 'learn from a HAR of one sign-in, link and logout with your own client')
    .option('--no-doctor', 'with --from: do not run the doctor on the file that was written')
    .option('--force', 'write over a file that exists', false)
    .action(async (file: string | undefined, { role: id, ...options }) => {
      const { initCommand } = await import('./commands/init.ts');
      ends(await initCommand({ ...options, file }, await entryOf(roles, id).load()));
    });
}

/** Adds the command. It learns about a party of the first role. */
function addLearn(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  command
    .command('learn [file]')
    .description('write a file about your server from what your own client sends to it once')
    .requiredOption('--server <url>', 'address of the server, which this command stands before', webAddress)
    .addOption(
      new Option('--port <port>', 'where your client finds the server meanwhile')
        .argParser(wholeNumber('--port', 0, 65_535))
        .default(4190),
    )
    .option('--for-seconds <number>', 'end the recording by itself', wholeNumber('--for-seconds', 1, 86_400))
    .option('--no-doctor', 'do not run the doctor on the file that was written')
    .option('--force', 'write over a file that exists', false)
    .action(async (file: string | undefined, options) => {
      const { learn } = await import('./commands/learn.ts');
      ends(await learn({ ...options, file }, await entryOf(roles, undefined).load()));
    });
}

function webAddress(text: string): string {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol))
    throw new InvalidArgumentError(
      '--server must be an http or https address, such as http://127.0.0.1:8080.',
    );
  return text;
}

function addSelfTest(command: Command, roles: readonly RoleEntry[], ends: Ends): void {
  const ids = roles.map(({ id }) => id);
  command
    .command('self-test')
    .description('prove the kit on parties whose faults are known')
    .addOption(new Option('--role <role>', 'whose checks to prove; of all unless given').choices(ids))
    .option('--only <text>', 'only variants whose id has this in it')
    .addOption(seedOption('seed'))
    .action(async ({ role, ...options }) => {
      const { runSelfTest } = await import('./commands/self-test.ts');
      ends(await runSelfTest(role === undefined ? roles : [entryOf(roles, role)], options));
    });
}

/** Returns a parser for a whole number from `min` to `max`. `what` is the option, as errors name it. */
const wholeNumber = (what: string, min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max)
    throw new InvalidArgumentError(`${what} must be a whole number from ${min} to ${max}.`);
  return value;
};

const seedOption = (help: string) =>
  new Option('--seed <number>', help).argParser(wholeNumber('--seed', 0, 2 ** 31 - 1)).default(1);

function roleOption(roles: readonly RoleEntry[], help: string): Option {
  const ids = roles.map(({ id }) => id);
  return new Option('--role <role>', help).choices(ids).default(ids[0]);
}

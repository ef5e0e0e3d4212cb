/** `npm run hostile`: measures how the servers withstand hostile connections and bodies. */
import { InvalidArgumentError } from 'commander';
import { systemClock } from '#protocol/time/clock.ts';
import { wholeNumberArgument } from '#service/process/command-line/argument.ts';
import { toolCommand } from '#service/process/command-line/tool-command.ts';
import { openFilesLimit } from '#service/process/open-files.ts';
import { EXIT_CODES, endWith } from '../long-run.ts';
import { ATTACKS, type AttackName, attackOf } from './attacks.ts';
import { brokenBy, rowText } from './judge.ts';
import { runHostile } from './run.ts';

/** Open files that the server needs beside the attack, including those of the measured callers. */
const SERVER_FILE_COUNT = 200;
const NAMES = Object.keys(ATTACKS) as AttackName[];

type HostileFlags = { connections: number; seconds: number; rounds: number; only: AttackName[] };

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
  .option('--only <list>', 'attacks, comma-separated; absent: all', readNames, NAMES)
  .configureHelp({ optionDescription: ({ description }) => description })
  .addHelpText(
    'after',
    `
Attacks:
${NAMES.map((name) => `  ${name.padEnd(20)} ${attackOf(name).connections} × ${attackOf(name).what}`).join('\n')}

Run it while the machine is quiet. Exit codes: 0 all limits hold, 1 one is broken, ${EXIT_CODES}`,
  )
  .parse()
  .opts<HostileFlags>();

await endWith(async (signal) => {
  const room = (openFilesLimit() ?? Number.POSITIVE_INFINITY) - SERVER_FILE_COUNT;
  const wanted = Math.max(...flags.only.map((name) => attackOf(name).connections));
  const connections = Math.min(flags.connections, room);
  if (connections < Math.min(flags.connections, wanted))
    process.stderr.write(
      `Warning: ${connections} connections at most; "ulimit -n" allows no more open files.\n`,
    );
  let isHeld = true;
  await runHostile({
    attacks: flags.only,
    connections,
    milliseconds: flags.seconds * 1_000,
    rounds: flags.rounds,
    clock: systemClock,
    signal,
    onStep: (what) => void process.stderr.write(`${what}\n`),
    onRow(row) {
      isHeld &&= brokenBy(row).length === 0;
      process.stdout.write(`${rowText(row)}\n`);
    },
  });
  return isHeld;
});

function readNames(text: string): AttackName[] {
  const names = text.split(',').map((name) => name.trim());
  if (names.every((name) => (NAMES as string[]).includes(name))) return names as AttackName[];
  throw new InvalidArgumentError(`They must be comma-separated names out of ${NAMES.join(', ')}.`);
}

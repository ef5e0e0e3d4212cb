/** `npm run fault`: arms a fault on a wire of the demo that runs, lists what is armed, or switches it off. */
import { Option } from 'commander';
import type { ArmedFault, Wire } from '#console/api.ts';
import { faultKinds } from '#console/server/wires/faults.ts';
import { commandLine, programName } from '#service/process/command-line/program-name.ts';
import { SettingsError } from '#service/process/command-line/settings.ts';
import { tellFailure, toolCommand } from '#service/process/command-line/tool-command.ts';
import { readDuration } from './clocks.ts';
import { askConsole, dataOption } from './running-demo.ts';

const WIRES: readonly Wire[] = ['client->auth', 'client->ehr', 'auth->ehr'];

const command = toolCommand(programName('fault'))
  .description('Makes trouble on a wire of the demo that runs.')
  .option(...dataOption)
  .addHelpText(
    'after',
    `\nFaults:\n${faultKinds.map(({ name, title }) => `  ${name.padEnd(18)}${title}`).join('\n')}

Examples:
  ${commandLine('fault', "arm reply-lost --wire 'auth->ehr'")}
  ${commandLine('fault', "arm refuse --wire 'client->ehr' --reason patient_not_matched --times 3")}
  ${commandLine('fault', "arm late --wire 'client->auth' --delay 2s --until-off")}
  ${commandLine('fault', 'off')}`,
  );

type FaultOptions = {
  wire: Wire;
  method?: string;
  times?: string;
  untilOff?: true;
  reason?: string;
  delay?: string;
};

command
  .command('arm <fault>')
  .description('arm a fault for the next calls')
  .addOption(new Option('--wire <wire>', 'the wire').choices(WIRES).makeOptionMandatory())
  .option('--method <name>', 'only calls of this JSON-RPC method')
  .option('--times <number>', 'how many calls meet it; default: 1')
  .option('--until-off', 'all calls meet it until it is switched off')
  .option('--reason <reason>', 'for refuse: the reason of an error of the interface')
  .option('--delay <duration>', 'for slow faults, such as 2s')
  .action((fault: string, options: FaultOptions) =>
    run(async () => print([await ask<ArmedFault>('POST', '', armed(fault, options))])),
  );
command
  .command('list')
  .description('list the faults that are armed')
  .action(() => run(async () => print(await ask<ArmedFault[]>('GET', ''))));
command
  .command('off [id]')
  .description('switch one fault off, or all')
  .action((id?: string) =>
    run(async () => print(await ask<ArmedFault[]>('DELETE', id === undefined ? '' : `/${id}`))),
  );

await command.parseAsync();

async function run(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    process.exitCode = tellFailure(command.name(), error);
  }
}

function armed(fault: string, { wire, method, times, untilOff, reason, delay }: FaultOptions): object {
  const delayMs = delay === undefined ? undefined : readDuration(delay);
  if (delay !== undefined && delayMs === undefined)
    throw new SettingsError(`"${delay}" is no duration. Please write one such as 500ms or 2s.`);
  if (times !== undefined && !/^[1-9]\d{0,5}$/.test(times))
    throw new SettingsError(`--times must be a whole number from 1; given was "${times}".`);
  return { wire, fault, method, times: untilOff ? 'untilOff' : times && Number(times), reason, delayMs };
}

function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return askConsole(command.opts(), method, `faults${path}`, body);
}

function print(faults: readonly ArmedFault[]): void {
  if (faults.length === 0) process.stdout.write('No fault is armed.\n');
  for (const { id, wire, fault, method = 'any call', reason, left, met } of faults) {
    const what = reason === undefined ? fault : `${fault} ${reason}`;
    const until = left === 'untilOff' ? 'until it is off' : `for ${left} more`;
    process.stdout.write(`${id}  ${wire}  ${method}  ${what}  ${until}, met ${met} times\n`);
  }
}

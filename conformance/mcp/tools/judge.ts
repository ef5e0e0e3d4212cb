/** The tools `doctor` and `judge`: examine the set-up of a party, and play all scenarios with it. */
import { z } from 'zod';
import { usualDemands } from '../../engine/check/verdict.ts';
import { judgeIn } from '../../engine/cli/commands/judge-run.ts';
import { entryOf } from '../../engine/role.ts';
import { roles } from '../../roles/index.ts';
import { callOf, MAX_WHOLE_CAUSES, Told } from '../told.ts';
import { type CallContext, inputs, tool } from '../tool.ts';

const PARTY = { role: inputs.role(), config: inputs.config(), seed: inputs.seed() };

type Asked = { role: string; config: string; seed: number; report?: string; only?: string | undefined };

/** Examines the party, judges it unless only the doctor was asked for, and returns the text. */
async function played(
  { role: id, report, ...asked }: Asked,
  { folder, signal, onProgress }: CallContext,
): Promise<string> {
  const config = folder.within('config', asked.config);
  const directory = report === undefined ? '' : folder.within('report', report);
  const told = new Told(onProgress, callOf(folder, { ...asked, role: id, config }));
  const doctorOnly = report === undefined;
  const options = { ...asked, config, report: directory, demands: usualDemands, slow: false, doctorOnly };
  const role = await entryOf(roles, id).load();
  await judgeIn(options, role, { signal, reporter: (total) => told.reporter(total) });
  return told.text();
}

export const doctor = tool({
  name: 'doctor',
  title: 'Can the party be judged at all?',
  about:
    'Finds out whether a server or client can be judged at all: whether it starts and answers, and whether the file about it fits. Says what is wrong with the set-up and what to do. Call it first, and after each change of that file. It takes seconds, and writes nothing.',
  input: z.object(PARTY),
  plays: true,
  run: (input, context) => played(input, context),
});

export const judge = tool({
  name: 'judge',
  title: 'What is wrong, and where?',
  about: `Plays all scenarios with a server or client, judges what it did on the wire, and writes the reports. Answers with the verdict and the causes, the most basic first: ${MAX_WHOLE_CAUSES} in full (clause, expected, actual, the one exchange, what to change), the others in a line each. Mend the first cause, then call rerun. A whole run takes from seconds to many minutes; name checks in "only" for a short one.`,
  input: z.object({
    ...PARTY,
    only: inputs
      .text()
      .optional()
      .describe(
        'Only these checks, scenarios, requirements or clauses, comma-separated, such as "5.1". The tool explain finds names.',
      ),
    report: inputs.report(),
  }),
  plays: true,
  run: (input, context) => played(input, context),
});

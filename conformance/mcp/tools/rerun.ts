/** The tool `rerun`: plays only what was red in a report again, and says what became of each check. */
import { join } from 'node:path';
import { z } from 'zod';
import { playAgain } from '../../engine/cli/commands/rerun.ts';
import { planOf } from '../../engine/cli/commands/rerun-plan.ts';
import { showLater } from '../../engine/cli/commands/showing.ts';
import { againText } from '../../engine/report/agent/again.ts';
import { roles } from '../../roles/index.ts';
import { callOf, MAX_WHOLE_CAUSES, progressOf } from '../told.ts';
import { inputs, tool } from '../tool.ts';

export const rerun = tool({
  name: 'rerun',
  title: 'Did the change help?',
  about:
    'Plays only the checks that were red in a report again, with the party as it is now, and says of each: fixed, still broken, changed, or gone; then the causes of what is red. Call it after each change of the code. It leaves the report as it was: call judge for a new one when all are fixed.',
  input: z.object({ report: inputs.report() }),
  plays: true,
  async run({ report: directory }, { folder, signal, onProgress }) {
    const file = folder.within('report', join(directory, 'report.json'));
    const plan = await planOf(file, { slow: false }, roles);
    if (!plan)
      return `Nothing is red in ${file}. Call judge for a new report, and causes for its warnings and differences.`;
    const { role, seed } = plan;
    const config = folder.within('The report', plan.config);
    const found = await playAgain(
      { ...plan, config },
      { signal, show: ({ recorder, total }) => showLater(recorder, progressOf(total, onProgress)) },
    );
    const playAlone = callOf(folder, { role: role.id, config, seed });
    return againText(found, { playAlone, whole: { from: 1, most: MAX_WHOLE_CAUSES } });
  },
});

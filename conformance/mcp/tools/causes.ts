/** The tool `causes`: reads the causes of a report that was written before. */
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { readRun } from '../../engine/journal/input-file.ts';
import { agentText } from '../../engine/report/agent/agent.ts';
import { readReport } from '../../engine/report/schema/schema.ts';
import { entryOf } from '../../engine/role.ts';
import { roles } from '../../roles/index.ts';
import { callOf, MAX_WHOLE_CAUSES } from '../told.ts';
import { inputs, tool } from '../tool.ts';

export const causes = tool({
  name: 'causes',
  title: 'The causes of a report',
  about:
    'Reads the causes of a report that judge has written, without playing anything: some in full, the others in a line each. Use it for a cause that judge told in a line only.',
  input: z.object({
    report: inputs.report(),
    from: z.int().min(1).default(1).describe('The place of the first cause that is told in full.'),
    most: z
      .int()
      .min(1)
      .max(10)
      .default(MAX_WHOLE_CAUSES)
      .describe('How many are told in full. Each has at most 2 kB.'),
  }),
  plays: false,
  async run({ report: directory, from, most }, { folder }) {
    const file = folder.within('report', join(directory, 'report.json'));
    const report = readReport(file);
    const run = readRun(folder.within('report', join(directory, 'run.json')));
    const { role, seed, file: about = 'FILE' } = report.meta;
    const { id } = entryOf(roles, role);
    const playAlone = callOf(folder, { role: id, seed, config: join(dirname(file), about) });
    return agentText({ run, report, paths: [] }, { playAlone, whole: { from, most } });
  },
});

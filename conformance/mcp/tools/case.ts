/** The tool `case`: writes one failing check as a script that stands alone. */
import { z } from 'zod';
import { curlFileOf, writeCase } from '../../engine/cli/commands/case.ts';
import { roles } from '../../roles/index.ts';
import { inputs, tool } from '../tool.ts';

export const caseTool = tool({
  name: 'case',
  title: 'One failing check as a script',
  about:
    'Writes one failing check as a single Node script that needs nothing else: the fewest calls, what the other parties answer, and the assertion. For an EHR server it writes a script by curl beside it, where a shell can say it. It fails while the party is wrong and passes when it is right. Use it as a test in the project of the party, or to show the fault to somebody. Takes up to minutes, because calls are left out one by one.',
  input: z.object({
    check: inputs.text().describe('The check, by its name in the report.'),
    role: inputs.role(),
    config: inputs.config(),
    seed: inputs.seed(),
    out: inputs.text().optional().describe('Where the script goes; CHECK.mjs unless given.'),
  }),
  plays: true,
  async run({ check, out = `${check}.mjs`, ...party }, { folder, signal }) {
    const config = folder.within('config', party.config);
    const file = folder.within('out', out);
    // The script by curl is written beside it.
    folder.within('out', curlFileOf(out));
    return await writeCase(check, { ...party, config, out: file }, roles, { signal });
  },
});

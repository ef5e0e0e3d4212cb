/** The two commands that people run most beside the demo, as a whole. */
import type { Group } from '../bench.ts';
import { TABLES } from '../names.ts';
import { timeCommand } from '../processes/time-start.ts';
import type { Row } from '../report/results.ts';

export const commands: Group = {
  id: TABLES.commands,
  about: 'the conformance run and npm run e2e, as whole commands',
  async run(bench) {
    const report = bench.databases.temporary('conformance-report');
    const mock = ['auth-server', '--config', 'conformance/examples/mock.yaml', '--report', report];
    const measured: Row[] = [];
    for (const [of, args] of [
      ['npm run conformance, the mock', ['scripts/run.mjs', 'conformance/main.ts', ...mock]],
      ['npm run e2e', ['scripts/run.mjs', 'e2e/command/main.ts']],
    ] as const) {
      const values: number[] = [];
      for (let run = 0; run < bench.plan.commandRuns; run++) {
        bench.signal.throwIfAborted();
        bench.log(of);
        values.push((await timeCommand({ args, cwd: bench.root })) / 1_000);
      }
      if (values.length > 0) measured.push({ case: 'the whole command', of, values });
    }
    if (measured.length === 0) return [];
    const about = 'Time from the command to its end, with everything that it starts.';
    return [{ id: TABLES.commands, title: 'Whole commands', about, unit: 's', better: 'lower', rows: measured }];
  },
};

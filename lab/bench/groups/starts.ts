/** How long people wait: for a server to listen, and for a population of a million. */
import type { Bundles } from '../bundle.ts';
import { BARE, BUNDLED, patientsCase, TABLES } from '../names.ts';
import { interleave } from '../rates.ts';
import type { ResultTable } from '../report/results.ts';
import type { Bench, Group } from '../run.ts';
import { ehrEnvironment, LISTENING } from '../servers.ts';

export const starts: Group = {
  id: 'starts',
  about: 'the start of a server, and a million fixtures',
  run: async (bench) => [
    await servers(bench),
    ...(bench.plan.fixtureRuns > 0 ? [await fixtures(bench)] : []),
  ],
};

async function servers(bench: Bench): Promise<ResultTable> {
  const data = {
    database: await bench.databases.sessions({ sessions: 1_000, users: 1_000 }),
    population: await bench.databases.population(1_000),
  };
  const env = { ...ehrEnvironment(data), NODE_ENV: 'production' };
  const commands = commandsOf(bench.bundles).map((command) => ({ ...command, values: [] as number[] }));
  await interleave(commands, bench.plan.starts, async ({ of, args, values }, round) => {
    bench.signal.throwIfAborted();
    bench.log(`start: round ${round + 1} of ${bench.plan.starts}, ${of}`);
    const begun = performance.now();
    const child = bench.children.start(args, { cwd: bench.root, env });
    await child.line(LISTENING);
    values.push(performance.now() - begun);
    await child.end();
  });
  return {
    id: TABLES.start,
    title: 'Start of a server',
    about:
      'From the start of the process to the line that says it listens. The bundled server is what npm run build makes; bare node:http opens a port and nothing else.',
    unit: 'ms',
    better: 'lower',
    base: BARE,
    rows: commands.map(({ of, values }) => ({ case: 'to listening', of, values })),
  };
}

const commandsOf = (bundles: Bundles) => [
  { of: BARE, args: [bundles('listening')] },
  { of: BUNDLED, args: [bundles('ehr')] },
  { of: 'EHR server, npm run ehr', args: ['scripts/run.mjs', 'ehr-server/main.ts'] },
];

async function fixtures(bench: Bench): Promise<ResultTable> {
  const patients = 1_000_000;
  const values: number[] = [];
  for (let run = 1; run <= bench.plan.fixtureRuns; run++) {
    bench.signal.throwIfAborted();
    bench.log(`fixtures: run ${run} of ${bench.plan.fixtureRuns}`);
    const database = bench.databases.temporary(`fixtures-${run}.sqlite`);
    const args = [
      'scripts/run.mjs',
      'mis-fixtures/main.ts',
      '--patients',
      String(patients),
      '--database',
      database,
    ];
    const begun = performance.now();
    const child = bench.children.start(args, { cwd: bench.root });
    const code = await child.exit;
    if (code !== 0) throw new Error(`Failed to measure the fixtures: ${child.ended()}`);
    values.push((performance.now() - begun) / 1_000);
  }
  const rows = [{ case: patientsCase(patients), of: 'npm run fixtures', values }];
  const about = 'npm run fixtures into a new file, the whole command.';
  return { id: TABLES.fixtures, title: 'Writing a population', about, unit: 's', better: 'lower', rows };
}

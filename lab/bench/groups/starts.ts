/** How long people wait: for a server to listen, for the demo, for a population of a million. */
import type { Bench, Group } from '../bench.ts';
import { ehrEnvironment } from '../contenders.ts';
import { BARE, BUNDLED, patientsCase, TABLES } from '../names.ts';
import { freePort } from '../processes/free-port.ts';
import { type Command, timeCommand, timeStart } from '../processes/time-start.ts';
import type { Table } from '../report/results.ts';
import { interleave } from '../rounds.ts';

const LISTENING = /http:\/\/127\.0\.0\.1:\d+/;

export const starts: Group = {
  id: 'starts',
  about: 'the start of a server and of the demo, and a million fixtures',
  async run(bench) {
    const tables = [await servers(bench)];
    if (bench.plan.demoStarts > 0) tables.push(await demo(bench));
    if (bench.plan.fixtureRuns > 0) tables.push(await fixtures(bench));
    return tables;
  },
};

async function servers(bench: Bench): Promise<Table> {
  const data = {
    database: await bench.databases.sessions({ sessions: 1_000, users: 1_000 }),
    population: await bench.databases.population(1_000),
  };
  const env = { ...ehrEnvironment(data), NODE_ENV: 'production' };
  const cwd = bench.root;
  const commands: { of: string; command: Command; values: number[] }[] = [
    { of: BARE, command: { args: [bench.bundles('listening')], cwd }, values: [] },
    { of: BUNDLED, command: { args: [bench.bundles('ehr')], cwd, env }, values: [] },
    {
      of: 'EHR server, npm run ehr',
      command: { args: ['scripts/run.mjs', 'ehr-server/main.ts'], cwd, env },
      values: [],
    },
  ];
  await interleave(commands, bench.plan.starts, async ({ of, command, values }, round) => {
    bench.signal.throwIfAborted();
    bench.log(`start: round ${round + 1} of ${bench.plan.starts}, ${of}`);
    values.push(await timeStart(command, LISTENING));
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

const DEMO_PORTS = ['ehr', 'ehr-internal', 'ehr-control', 'auth', 'auth-control', 'client'] as const;

async function demo(bench: Bench): Promise<Table> {
  const data = bench.databases.temporary('demo');
  const values: Record<string, number[]> = { 'the first start, which makes its data': [], 'a later start': [] };
  for (let round = 0; round < bench.plan.demoStarts; round++) {
    for (const [of, times] of Object.entries(values)) {
      bench.signal.throwIfAborted();
      bench.log(`demo: ${of}`);
      const ports = await Promise.all(DEMO_PORTS.map(async (name) => [`--${name}-port`, String(await freePort())]));
      const fresh = of.startsWith('the first') ? ['--fresh'] : [];
      const args = ['scripts/run.mjs', 'demo/main.ts', '--data', data, ...ports.flat(), ...fresh];
      times.push((await timeStart({ args, cwd: bench.root }, /^Ready/)) / 1_000);
    }
  }
  const rows = Object.entries(values).map(([of, times]) => ({ case: 'to ready', of, values: times }));
  const about = 'npm run demo on an installed clone: three servers, from the command to the line that says Ready.';
  return { id: TABLES.demo, title: 'Start of the demo', about, unit: 's', better: 'lower', rows };
}

async function fixtures(bench: Bench): Promise<Table> {
  const patients = 1_000_000;
  const values: number[] = [];
  for (let run = 0; run < bench.plan.fixtureRuns; run++) {
    bench.signal.throwIfAborted();
    bench.log(`fixtures: run ${run + 1} of ${bench.plan.fixtureRuns}`);
    const database = bench.databases.temporary(`fixtures-${run}.sqlite`);
    const args = ['scripts/run.mjs', 'mis-fixtures/main.ts', '--patients', String(patients), '--database', database];
    values.push((await timeCommand({ args, cwd: bench.root })) / 1_000);
  }
  return {
    id: TABLES.fixtures,
    title: 'Writing a population',
    about: 'npm run fixtures into a new file, the whole command.',
    unit: 's',
    better: 'lower',
    rows: [{ case: patientsCase(patients), of: 'npm run fixtures', values }],
  };
}

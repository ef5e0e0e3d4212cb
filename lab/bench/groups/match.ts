/**
 * Finding a patient among ten thousand and among millions: the search alone, and the call that contains it.
 */

import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import type { Bench, Group } from '../bench.ts';
import { type Starter, withServers } from '../contenders.ts';
import { type Drawn, drawPatients } from '../data/patients.ts';
import { readOnce } from '../data/read-once.ts';
import { addExchangeTokens } from '../data/sessions.ts';
import type { RequestPlan } from '../load/messages.ts';
import { BARE, EHR, IN_PROCESS, patientsCase, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { type Case, measureRates, WARM_UP_SLICES } from '../rates.ts';
import type { Table } from '../report/results.ts';
import { interleave } from '../rounds.ts';

export const match: Group = {
  id: TABLES.match,
  about: 'the search of a patient, and authenticate, at growing populations',
  run: async (bench) => [await searchAlone(bench), await authenticate(bench)],
};

const MAX_SEARCHED_PATIENTS = 100_000;
/** Number of searches between two readings of the clock. */
const SEARCHES_PER_BATCH = 256;

async function searchAlone(bench: Bench): Promise<Table> {
  const { populations, rounds, sliceMs } = bench.plan;
  const searches = [];
  for (const patients of populations) {
    const file = await bench.databases.population(patients);
    bench.log(`drawing patients out of ${patients}`);
    const queries = drawPatients(file, patients, MAX_SEARCHED_PATIENTS).map(({ query }) => query);
    searches.push({
      patients,
      file,
      mis: openSqliteMis(file),
      queries,
      alone: [] as number[],
      together: [] as number[],
    });
  }
  await interleave(searches, rounds, async ({ patients, file, mis, queries, alone, together }, round) => {
    bench.log(`search: round ${round + 1} of ${rounds}, ${patientsCase(patients)}`);
    bench.signal.throwIfAborted();
    await readOnce(file);
    let searched = 0;
    const searchBatch = (inTurn: number) => {
      for (let at = 1; at <= SEARCHES_PER_BATCH; at++) {
        const found = mis.match(queries[searched++ % queries.length] as (typeof queries)[number]);
        if (found.length !== 1) throw new Error('Failed to measure: a patient was not found.');
        if (at % inTurn === 0) mis.endReads?.();
      }
    };
    while (searched < queries.length) searchBatch(SEARCHES_PER_BATCH);
    const measure = (inTurn: number) => {
      searched = 0;
      const begun = performance.now();
      while (performance.now() - begun < sliceMs) searchBatch(inTurn);
      return (searched / (performance.now() - begun)) * 1_000;
    };
    alone.push(measure(1));
    together.push(measure(JUDGED_CONNECTIONS));
  });
  for (const { mis } of searches) mis.close();
  return {
    id: TABLES.match,
    title: 'Searching a patient',
    about: `By name, surname, day of birth and phone, in the process and without HTTP; up to ${MAX_SEARCHED_PATIENTS} different patients of each population in turn. A search alone in its turn of the event loop takes and gives back the locks of the file; of many in a turn the first one does. Before each slice the file is read once and each of them is searched once, uncounted.`,
    unit: 'searches/s',
    better: 'higher',
    rows: searches.flatMap(({ patients, alone, together }) => [
      { case: patientsCase(patients), of: IN_PROCESS, values: alone },
      { case: patientsCase(patients), of: `${IN_PROCESS}, ${JUDGED_CONNECTIONS} in a turn`, values: together },
    ]),
  };
}

/** Number of users who authenticate in turn. */
const USER_COUNT = 2_000;
/** Exchange tokens prepared for each second: more than a present machine uses up. */
const TOKENS_PER_SECOND = 30_000;
const SESSION_COUNT = 1_000;

async function authenticate(bench: Bench): Promise<Table> {
  return withServers(bench, async (start) => {
    const cases: Case[] = [];
    for (const patients of bench.plan.populations) cases.push(await authenticateCase(bench, start, patients));
    const about = `${JUDGED_CONNECTIONS} connections; every call uses up an exchange token of its own, finds the patient, opens a session and is durable. The users are linked already, as whoever authenticates again.`;
    const table = { id: 'authenticate', title: 'authenticate by population', about, base: BARE };
    return measureRates(bench, table, cases);
  });
}

async function authenticateCase(bench: Bench, start: Starter, patients: number): Promise<Case> {
  const { rounds, sliceMs, warmUpMs } = bench.plan;
  const population = await bench.databases.population(patients);
  bench.log(`drawing patients and making exchange tokens for ${patientsCase(patients)}`);
  const drawn = drawPatients(population, patients, USER_COUNT);
  const tokens = Math.ceil(((rounds + WARM_UP_SLICES) * (sliceMs + warmUpMs) * TOKENS_PER_SECOND) / 1_000);
  const ownCopy = async () => {
    const database = await bench.databases.sessions({ sessions: SESSION_COUNT, users: SESSION_COUNT });
    addExchangeTokens(
      database,
      tokens,
      drawn.map(({ user }) => user),
    );
    return { database, population };
  };
  const plan = planOf(drawn);
  return {
    case: patientsCase(patients),
    connections: JUDGED_CONNECTIONS,
    contenders: [
      { of: EHR, servers: [await start.ehr(await ownCopy())], plan, numbers: { next: 0 } },
      { of: BARE, servers: [await start.peer('bare', await ownCopy())], plan, numbers: { next: 0 } },
    ],
  };
}

function planOf(drawn: readonly Drawn[]): RequestPlan {
  const patients = drawn.map(({ patient: { name, surname, birthdate, phones } }) => ({
    name,
    surname,
    birthdate,
    phones,
  }));
  return { kind: 'authenticate', patients };
}

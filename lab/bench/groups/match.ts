/** Finding a patient among ten thousand and among millions. */
import { openSqliteMis } from '#ehr-server/mis/sqlite.ts';
import { readOnce } from '../data/databases.ts';
import { drawQueries } from '../data/patients.ts';
import { IN_PROCESS, patientsCase, TABLES } from '../names.ts';
import { JUDGED_CONNECTIONS } from '../plan.ts';
import { interleave } from '../rates.ts';
import type { Bench, Group } from '../run.ts';

const MAX_SEARCHED_PATIENTS = 100_000;
/** Number of searches between two readings of the clock. */
const SEARCHES_PER_BATCH = 256;

export const match: Group = {
  id: TABLES.match,
  about: 'the search of a patient, at growing populations',
  async run(bench) {
    const searches = [];
    for (const patients of bench.plan.populations) searches.push(await openSearch(bench, patients));
    await interleave(
      searches,
      bench.plan.rounds,
      async ({ file, queries, searchFor, alone, together, at }, round) => {
        bench.log(`search: round ${round + 1} of ${bench.plan.rounds}, ${at}`);
        bench.signal.throwIfAborted();
        await readOnce(file);
        searchFor(queries.length, SEARCHES_PER_BATCH);
        alone.push(rateOf(bench.plan.sliceMs, () => searchFor(SEARCHES_PER_BATCH, 1)));
        together.push(rateOf(bench.plan.sliceMs, () => searchFor(SEARCHES_PER_BATCH, JUDGED_CONNECTIONS)));
      },
    );
    for (const { mis } of searches) mis.close();
    const about = `By name, surname, day of birth and phone, in the process and without HTTP; up to ${MAX_SEARCHED_PATIENTS} different patients of each population in turn. A search alone in its turn of the event loop takes and gives back the locks of the file; of many in a turn the first one does. Before each slice the file is read once and each of them is searched once, uncounted.`;
    const rows = searches.flatMap(({ at, alone, together }) => [
      { case: at, of: IN_PROCESS, values: alone },
      { case: at, of: `${IN_PROCESS}, ${JUDGED_CONNECTIONS} in a turn`, values: together },
    ]);
    return [
      { id: TABLES.match, title: 'Searching a patient', about, unit: 'searches/s', better: 'higher', rows },
    ];
  },
};

async function openSearch(bench: Bench, patients: number) {
  const file = await bench.databases.population(patients);
  bench.log(`drawing patients out of ${patients}`);
  const queries = drawQueries(file, patients, MAX_SEARCHED_PATIENTS);
  const mis = openSqliteMis(file);
  let searched = 0;
  /** Searches for the next patients, so many of them in a turn. */
  const searchFor = (count: number, inTurn: number) => {
    for (let at = 1; at <= count; at++) {
      const found = mis.match(queries[searched++ % queries.length] as (typeof queries)[number]);
      if (found.length !== 1) throw new Error('Failed to measure: a patient was not found.');
      if (at % inTurn === 0) mis.endReads?.();
    }
  };
  return {
    file,
    mis,
    queries,
    searchFor,
    at: patientsCase(patients),
    alone: [] as number[],
    together: [] as number[],
  };
}

/** Returns how many searches a second are done. */
function rateOf(milliseconds: number, searchBatch: () => void): number {
  const begun = performance.now();
  let batches = 0;
  for (; performance.now() - begun < milliseconds; batches++) searchBatch();
  return ((batches * SEARCHES_PER_BATCH) / (performance.now() - begun)) * 1_000;
}

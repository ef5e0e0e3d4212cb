/** Examines the set-up before any check is judged. A fault of the server is named, and judged. */
import type { Diagnosis } from '../../../engine/party/diagnosis.ts';
import type { EhrRun } from '../run.ts';
import { EhrWorld } from '../world/world.ts';
import type { Examination } from './channels.ts';
import { endpoint, internalChannel } from './channels.ts';
import { everyPatient } from './found-patients.ts';
import { pace } from './pace-of-server.ts';

const SCENARIO = 'set-up';

/** In the order in which they are made: each needs what those before it found right. */
const EXAMINATIONS: readonly Examination[] = [
  { id: 'endpoint', title: 'The public endpoint answers JSON-RPC calls', find: endpoint },
  { id: 'pace', title: 'The server answers in time', find: pace },
  {
    id: 'internal-channel',
    title: 'The internal channel takes calls with the digest',
    find: internalChannel,
  },
  { id: 'patients', title: 'The server finds the patients of people.matching', find: everyPatient },
];

export async function examineEhr(
  run: EhrRun,
  onDiagnosis: (diagnosis: Diagnosis) => void,
): Promise<Diagnosis[]> {
  const world = new EhrWorld(run.parts, SCENARIO);
  const all: Diagnosis[] = [];
  run.recorder.beginScenario(SCENARIO, true);
  for (const { id, title, find } of EXAMINATIONS) {
    const { found, remedy } = await find(world);
    const ok = remedy === undefined;
    const diagnosis = { ok, id, title, found, ...(remedy !== undefined && { remedy }) };
    all.push(diagnosis);
    onDiagnosis(diagnosis);
    if (!ok) break;
  }
  await world.end();
  run.recorder.endScenario(SCENARIO);
  return all;
}

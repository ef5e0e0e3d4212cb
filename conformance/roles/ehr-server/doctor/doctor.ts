/** Examines the set-up before any check is judged. A fault of the server is named, and judged. */

import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Diagnosis } from '../../../engine/party/diagnosis.ts';
import { pause } from '../../../engine/party/requests/pause.ts';
import type { EhrRun } from '../run.ts';
import { readCall } from '../world/messages.ts';
import { EhrWorld } from '../world/world.ts';
import { type Examination, endpoint, type Finding, internalChannel } from './channels.ts';
import { everyPatient } from './found-patients.ts';

const CALL = readCall({});
const SAMPLES = 3;
/** Where one call waits for another, calls at the same moment take at least this multiple of one. */
const TIMES_IN_TURN = 2.2;
/** Shorter calls say nothing about that. */
const MIN_MEASURED_MS = 30;
/** A call beside a held one is answered within this time, or that of a few calls: otherwise it waits. */
const MIN_LATE_MS = 400;
const LATE_CALLS = 4;
/** The time (ms) in which the server takes up the held request before the other one comes. */
const HELD_MS = 20;

async function pace(world: EhrWorld): Promise<Finding> {
  const { pace: known, clock } = world.parts;
  const call = () => world.send('a call to measure', world.post(CALL));
  const took = async (act: () => Promise<unknown>) => {
    const begun = clock.now();
    await act();
    return clock.now() - begun;
  };
  const singles: number[] = [];
  for (let sample = 0; sample < SAMPLES; sample++) singles.push(await took(call));
  const single = singles.sort((a, b) => a - b)[1] ?? 0;
  const together = await took(() => Promise.all(singles.map(call)));
  const isSlow = single >= MIN_MEASURED_MS && together >= TIMES_IN_TURN * single;
  known.callMs = single;
  known.isOneAtATime = isSlow || (await waitsForAnother(world, single));
  const how = known.isOneAtATime
    ? 'one call at a time: a call waits for those before it, which is no fault'
    : 'several calls at a time';
  return { found: `${single} ms a call, ${how}` };
}

async function waitsForAnother(world: EhrWorld, single: number): Promise<boolean> {
  const { clock, publicUrl } = world.parts;
  const held = await holdHalf(publicUrl);
  await pause(clock, HELD_MS, world.parts.signal);
  const other = world.send('a call beside another', world.post(CALL));
  let cancel: () => void = () => undefined;
  const late = new Promise<'late'>((resolve) => {
    cancel = clock.after(Math.max(MIN_LATE_MS, LATE_CALLS * single), () => resolve('late'));
  });
  const isLate = (await Promise.race([other, late])) === 'late';
  cancel();
  held.finish();
  const { result } = await other;
  // A server that answers neither is judged by other means.
  return isLate && result.kind !== 'failed';
}

async function holdHalf(url: string): Promise<{ finish(): void }> {
  const open = url.startsWith('https:') ? requestHttps : requestHttp;
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(CALL) };
  const request = open(url, { method: 'POST', headers, agent: false });
  request.on('response', (response) => response.resume());
  // What becomes of this request is of no interest: the other call is measured.
  await new Promise<void>((resolve) => {
    request.on('error', () => resolve());
    request.write(CALL.slice(0, CALL.length / 2), () => resolve());
  });
  return { finish: () => void request.end(CALL.slice(CALL.length / 2)) };
}

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

/** Measures how fast an EHR server answers, and whether it serves calls side by side. Neither is a fault. */
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { pause } from '../../../engine/party/requests/pause.ts';
import { readCall } from '../world/messages.ts';
import type { EhrWorld } from '../world/world.ts';
import type { Finding } from './channels.ts';

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

export async function pace(world: EhrWorld): Promise<Finding> {
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

/** What a right client does during trouble, and with clocks apart, while the live judge watches. */
import { expect } from 'vitest';
import type { ArmedFault, ArmFault, LiveVerdict, PartyName, ScenarioState, Wire } from '../../api.ts';
import type { Actor } from '../scenarios/actor.ts';
import { ENDED_BY_DISARM } from '../wires/faults.ts';
import { actorIn, type Demo, link, redOf, startConsole } from './start-console.ts';

const judgedIn = async ({ get }: Demo) =>
  new Set((await get<LiveVerdict[]>('/api/verdicts')).map(({ party }) => party));

type Act = (actor: Actor, demo: Demo) => Promise<unknown>;

/** People ask for the next code a minute after the last one. */
export const NEXT_CODE_MS = 61_000;

const signInLater: Act = async (actor, demo) => {
  await demo.post('/api/clock', { advanceMs: NEXT_CODE_MS });
  await actor.signIn();
};

/** What a client does from first to last, each step with the calls that trouble is made for. */
const COURSE: readonly [calls: Partial<Record<Wire, string>>, act: Act][] = [
  [{ 'client->auth': 'auth.confirm_otp' }, signInLater],
  [{ 'client->ehr': 'patient.get_patient' }, (actor) => actor.readRecord()],
  [
    { 'client->auth': 'auth.exchange_token', 'auth->ehr': 'embedded_storage.save_exchange_token' },
    (actor) => actor.takeExchangeToken(),
  ],
  [{ 'client->ehr': 'embedded_storage.authenticate' }, (actor) => actor.authenticate()],
  [
    { 'client->auth': 'auth.report_link', 'auth->ehr': 'embedded_storage.save_auth_info' },
    (actor) => actor.reportLink(),
  ],
  [
    { 'client->ehr': 'embedded_storage.remove_auth_info' },
    (actor) => actor.ehr('embedded_storage.remove_auth_info'),
  ],
  [{ 'client->auth': 'auth.logout' }, (actor) => actor.auth('auth.logout')],
  [{ 'client->auth': 'auth.confirm_otp', 'auth->ehr': 'embedded_storage.save_auth_info' }, signInLater],
  [
    { 'client->ehr': 'embedded_storage.remove_authentication' },
    (actor) => actor.ehr('embedded_storage.remove_authentication'),
  ],
  [{ 'client->auth': 'auth.confirm_otp', 'auth->ehr': 'embedded_storage.save_auth_info' }, signInLater],
];

/** These end when the demo's clock goes on. */
const TIMED: ReadonlySet<string> = new Set(['late', 'split-reply']);

/** Takes a step during trouble, and again without it when it failed. */
async function stepIn(demo: Demo, trouble: ArmFault, act: () => Promise<unknown>) {
  const { id } = await demo.post<ArmedFault>('/api/faults', trouble);
  let isOver = false;
  const done = succeeds(act()).finally(() => {
    isOver = true;
  });
  const isMet = async () =>
    (await demo.get<ArmedFault[]>('/api/faults')).some((armed) => armed.id === id && armed.met > 0);
  if (ENDED_BY_DISARM.has(trouble.fault)) {
    while (!isOver && !(await isMet()));
    await demo.ask('DELETE', '/api/faults');
  }
  while (TIMED.has(trouble.fault) && !isOver) await demo.post('/api/clock', { advanceMs: 2 });
  const isDone = await done;
  await demo.ask('DELETE', '/api/faults');
  if (!isDone) await succeeds(act());
}

const succeeds = (acting: Promise<unknown>) =>
  acting.then(
    () => true,
    () => false,
  );

/** Each call of a course is troubled on one wire; the wires of the client share a course. */
export const WIRES: readonly [wires: readonly Wire[]][] = [
  [['client->auth', 'client->ehr']],
  [['auth->ehr']],
];

/** Plays the course with each of the faults. */
export async function expectUnbrokenBy(
  faults: readonly ArmFault['fault'][],
  wires: readonly Wire[],
): Promise<void> {
  const demo = await startConsole();
  for (const fault of faults) {
    await demo.post('/api/reset');
    const actor = actorIn(demo);
    for (const [calls, act] of COURSE) {
      const wire = wires.find((each: Wire) => calls[each] !== undefined);
      const call = { method: String(wire && calls[wire]), reason: 'not_authorized', delayMs: 1 };
      if (wire) await stepIn(demo, { wire, fault, ...call }, () => act(actor, demo));
      else await succeeds(act(actor, demo));
    }
    expect([fault, ...(await redOf(demo))]).toEqual([fault]);
  }
  expect(await judgedIn(demo)).toEqual(new Set(['auth', 'ehr', 'client']));
}

/** A link, a session that ends, and a snapshot, with the clock of a party apart. */
export async function expectUnbrokenByClock(demo: Demo, party: PartyName, skewMs: number): Promise<void> {
  await demo.post('/api/reset');
  await demo.post('/api/clock', { party, skewMs });
  const actor = actorIn(demo);
  await link(actor).catch(() => undefined);
  await demo.post('/api/snapshots', { name: 'here' });
  await demo.post('/api/clock', { to: 'afterSessionEnd' });
  await actor.signIn();
  expect([party, skewMs, ...(await redOf(demo))]).toEqual([party, skewMs]);
  const [{ id }] = await demo.get<[{ id: number }]>('/api/snapshots');
  await demo.post(`/api/snapshots/${id}/restore`);
  await actor.readRecord().catch(() => undefined);
  await actor.reportLink().catch(() => undefined);
  await demo.post('/api/clock', { advanceMs: NEXT_CODE_MS });
  await actor.signIn();
  expect([party, skewMs, ...(await redOf(demo))]).toEqual([party, skewMs]);
}

/** Plays all scenarios: each ends as it says, and shows no right party as broken. */
export async function expectScenariosUnbroken(): Promise<void> {
  // A demo sends no second code at once.
  const demo = await startConsole(undefined, { env: { AUTH_OTP_RESEND_AFTER: '30' } });
  const stream = await demo.events();
  const { scenarios } = await stream.until('overview');
  for (const { id } of scenarios) {
    await demo.post('/api/scenario', { do: 'play', id });
    const isOver = ({ id: played, phase }: ScenarioState) =>
      played === id && (phase === 'done' || phase === 'failed');
    const { trouble } = await stream.until('scenario', isOver);
    // The attacker acts in the name of the authorization server, so the judge blames that server.
    const red = id === 'taken-over' ? [expect.stringMatching(/^user-sign-digest, auth server: /)] : [];
    expect([id, trouble, ...(await redOf(demo))]).toEqual([id, undefined, ...red]);
  }
}

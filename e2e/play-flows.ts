/** Plays flows with the parties of a run, leaves nobody linked, and says where a failed one goes wrong. */
import { rmSync } from 'node:fs';
import type { Entry } from '#conformance/engine/journal/entry.ts';
import { digest } from '#protocol/wire/hashes.ts';
import { temporaryDirectory } from '#service/process/files/writing.ts';
import type { CalledSession, CrossedCall } from '#testing/recording/calls.ts';
import { FlowFailure } from './flows/device.ts';
import type { Flow } from './flows/flow.ts';
import { readableCodes } from './flows/needs.ts';
import { FlowWorld } from './flows/world.ts';
import { callEhr } from './parties/ehr-party.ts';
import type { Parties } from './parties/open.ts';
import { type Difference, differenceOf, rightMessages, sentenceOf } from './report/difference.ts';

export type PlayedFlow = {
  readonly flow: Flow;
  readonly outcome: 'passed' | 'failed' | 'left out';
  /** Says what is wrong or missing; without patient data and secrets. */
  readonly because: string | undefined;
  readonly seconds: number;
  readonly calls: readonly CrossedCall[];
  /** Its part of the journal, masked when it is asked for. */
  readonly entries: () => readonly Entry[];
};

function lackFor({ needs = [] }: Flow, parties: Parties): string | undefined {
  return [readableCodes, ...needs].map((need) => need(parties)).find((reason) => reason !== undefined);
}

/** @param turn its number in the run, so that each begins with other patients */
export async function playFlow(flow: Flow, parties: Parties, turn: number): Promise<PlayedFlow> {
  const lack = lackFor(flow, parties);
  if (lack !== undefined)
    return { flow, outcome: 'left out', because: lack, seconds: 0, calls: [], entries: () => [] };
  const { recorder, calls, clock, signal } = parties;
  signal.throwIfAborted();
  calls.clear();
  const kept: Entry[] = [];
  const forget = recorder.onEntry((entry) => kept.push(entry));
  const begun = clock.now();
  const folder = temporaryDirectory('flow-');
  const world = new FlowWorld(parties, folder, turn);
  try {
    const failure = await flow.play(world).then(() => leakOf(parties), failureOf);
    const seconds = (clock.now() - begun) / 1_000;
    const played = calls.all();
    forget();
    kept.sort((a, b) => a.seq - b.seq);
    // The journal of the run goes on: in each flow the first entry has the number one.
    const before = (kept[0]?.seq ?? 1) - 1;
    const entries = () => kept.map((entry) => ({ ...recorder.mask(entry), seq: entry.seq - before }));
    const numbered = played.map((call) => ({ ...call, seq: call.seq - before }));
    await unlinkAll(parties.ehr, played);
    const because = failure && recorder.knowledge.pseudonyms.mask(failure);
    return { flow, outcome: failure ? 'failed' : 'passed', because, seconds, calls: numbered, entries };
  } finally {
    forget();
    world.mendAll();
    await world.end();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** @throws the error itself, unless it says how the flow went */
function failureOf(error: unknown): string {
  if (error instanceof FlowFailure) return error.message;
  throw error;
}

/** What the person typed into the form goes to the EHR server alone (§1 rule 3). */
function leakOf({ calls }: Parties): string | undefined {
  const [leak] = calls.leaks();
  return leak && `Patient data reached the authorization server: ${leak}.`;
}

/**
 * Disconnects the record of every user of a flow, so that the next one finds all patients free. It calls the
 * EHR server itself, so a wire that the flow has cut is not in its way.
 */
async function unlinkAll(ehr: Parties['ehr'], played: readonly CrossedCall[]): Promise<void> {
  const sessions = played.flatMap(({ authInfo }) => authInfo ?? []);
  const signs = new Set(played.flatMap(({ userSign }) => userSign ?? []));
  const users = new Set(sessions.map(({ user }) => user));
  for (const user of users) {
    const own = sessions.filter((session) => session.user === user);
    if (await someSucceeds(own, (session) => disconnect(ehr, session))) continue;
    // Every session of the user has ended. Another one is opened with the signature.
    await someSucceeds([...signs], (sign) => disconnectBySign(ehr, user, sign));
  }
}

async function someSucceeds<T>(
  items: readonly T[],
  attempt: (item: T) => Promise<boolean>,
): Promise<boolean> {
  for (const item of items) if (await attempt(item)) return true;
  return false;
}

function disconnect(
  { publicUrl }: Parties['ehr'],
  { user, token }: Pick<CalledSession, 'user' | 'token'>,
): Promise<boolean> {
  return callEhr(publicUrl, 'embedded_storage.remove_authentication', {}, { user, token });
}

async function disconnectBySign(ehr: Parties['ehr'], user: string, sign: string): Promise<boolean> {
  const { user: internalUser, password } = ehr.internal;
  const session = { user, token: `clean-up-${digest(user, sign)}` };
  const cred = { user: internalUser, token: digest(password, sign) };
  const authInfo = { ...session, ttl: CLEAN_UP_TTL };
  if (!(await callEhr(ehr.internalUrl, 'embedded_storage.save_auth_info', { authInfo }, cred))) return false;
  return disconnect(ehr, session);
}

/** A minute, in either unit at least long enough for one call. */
const CLEAN_UP_TTL = 60;

const OWN_FLOWS = 'e2e/flows/flows.test.ts';

export type ExplainedFlow = PlayedFlow & {
  /** The first message in which a failed flow differs from the right flow; masked. */
  readonly difference: Difference | undefined;
};

export function explain(played: PlayedFlow, { seesInternal, recorder }: Parties): ExplainedFlow {
  const { name, sentence } = played.flow;
  const right = rightMessages({ file: OWN_FLOWS, title: `${name}: ${sentence}` });
  if (played.outcome !== 'failed' || !right) return { ...played, difference: undefined };
  const comparable = right.filter(({ link }) => seesInternal || link !== 'auth->ehr');
  const found = differenceOf(played.calls, comparable);
  return {
    ...played,
    difference: found && { ...found, text: recorder.knowledge.pseudonyms.mask(found.text) },
  };
}

export const differenceText = ({ difference }: ExplainedFlow): string | undefined =>
  difference && sentenceOf(difference);

/**
 * A state in the search for an order of the calls: the state model, and the signatures that replies showed.
 */
import { StateModel } from '#conformance/roles/ehr-server/world/model/state-model.ts';
import { type CallStep, COUNTED } from '../../steps.ts';
import type { GroupSnapshot, LedgerCall } from './history.ts';

export type SearchState = {
  readonly model: StateModel;
  /** Number of a link to its signature, once a reply has shown it. No two links ever have the same one. */
  readonly signs: ReadonlyMap<number, number>;
};

export function emptyState(): SearchState {
  return { model: new StateModel(Number.POSITIVE_INFINITY), signs: new Map() };
}

/**
 * Returns the states to which the call may have led if it took effect in `state`: none when its outcome
 * contradicts the state, and `state` itself when it changed nothing. An unknown outcome leads to the states
 * that differ from `state`.
 */
export function after(state: SearchState, call: LedgerCall): SearchState[] {
  return variantsOf(state, call).flatMap(([before, step]) => taken(before, step, call));
}

/**
 * Returns the step with the user whose signature was sent. Where no reply has shown the signature of a link
 * yet, the one that was sent may be right or wrong.
 */
function variantsOf(state: SearchState, { step, sign }: LedgerCall): [SearchState, CallStep][] {
  if (step.kind !== 'saveAuthInfo') return [[state, step]];
  const link = state.model.links.get(step.user);
  const right: CallStep = { ...step, signOf: step.user };
  const wrong: CallStep = { ...step, signOf: '' };
  if (!link) return [[state, right]];
  const known = state.signs.get(link.generation);
  if (known !== undefined) return [[state, known === sign ? right : wrong]];
  const bound = bind(state, link.generation, sign);
  const readings: [SearchState, CallStep][] = [[state, wrong]];
  if (bound) readings.unshift([bound, right]);
  return readings;
}

function taken(state: SearchState, step: CallStep, { outcome }: LedgerCall): SearchState[] {
  const model = state.model.copy();
  const pending = step.kind === 'authenticate' ? model.exchangeTokens.get(step.exchangeToken) : undefined;
  const due = model.take(step);
  const changes = due === 'ok' ? step.kind !== 'getPatient' : COUNTED.includes(due);
  const next = changes ? { ...state, model } : state;
  if (outcome.kind === 'unknown') return changes ? [next] : [];
  if (outcome.kind === 'refused') return due === outcome.reason ? [next] : [];
  if (due !== 'ok') return [];
  if (outcome.patient === undefined || outcome.sign === undefined) return [next];
  const link = model.links.get(step.kind === 'authenticate' ? (pending?.user ?? '') : step.user);
  if (link?.patient !== outcome.patient) return [];
  const known = state.signs.get(link.generation);
  if (known !== undefined) return known === outcome.sign ? [next] : [];
  const bound = bind(next, link.generation, outcome.sign);
  return bound ? [bound] : [];
}

/** Returns the state in which this link has this signature; nothing when another link has it. */
function bind(state: SearchState, link: number, sign: number): SearchState | undefined {
  if ([...state.signs.values()].includes(sign)) return undefined;
  return { ...state, signs: new Map(state.signs).set(link, sign) };
}

/** Tells whether the database may hold these rows in this state. */
export function fits({ model, signs }: SearchState, rows: GroupSnapshot): boolean {
  const free = new Set(Object.values(rows.links).map(({ sign }) => sign));
  for (const sign of signs.values()) free.delete(sign);
  const isLink = (row: GroupSnapshot['links'][string] | undefined, { patient, generation }: ModelLink) =>
    row?.patient === patient &&
    (signs.has(generation) ? signs.get(generation) === row.sign : free.delete(row.sign));
  const isSession = (
    row: GroupSnapshot['sessions'][string] | undefined,
    { user, recorded, ended }: ModelSession,
  ) => row?.ended === ended && (ended || (row.user === user && row.recorded === recorded));
  const isExchange = (row: GroupSnapshot['exchanges'][string] | undefined, expected: ModelExchange) =>
    row?.user === expected.user &&
    row.token === expected.token &&
    row.failures === expected.failures &&
    row.used === expected.used;
  return (
    agree(rows.links, model.links, isLink) &&
    agree(rows.sessions, model.sessions, isSession) &&
    agree(rows.exchanges, model.exchangeTokens, isExchange)
  );
}

type Item<Of> = Of extends ReadonlyMap<string, infer Value> ? Value : never;
type ModelLink = Item<StateModel['links']>;
type ModelSession = Item<StateModel['sessions']>;
type ModelExchange = Item<StateModel['exchangeTokens']>;

function agree<StoredRow, Expected>(
  rows: Record<string, StoredRow>,
  expected: ReadonlyMap<string, Expected>,
  isSame: (row: StoredRow | undefined, item: Expected) => boolean,
): boolean {
  if (Object.keys(rows).length !== expected.size) return false;
  return [...expected].every(([name, item]) => isSame(rows[name], item));
}

/** Returns a text that is equal for equal states only. */
export function keyOf({ model, signs }: SearchState): string {
  const links = [...model.links].map(([user, { patient, generation }]) => [
    user,
    patient,
    signs.get(generation),
  ]);
  const sessions = [...model.sessions].map(([token, one]) => [token, one.user, one.recorded, one.ended]);
  // The order of the exchange tokens of a session counts: the sixth overtakes the first.
  const pending = [...model.exchangeTokens].map(([name, one]) => [
    `${one.user}/${one.token}`,
    name,
    one.failures,
    one.used,
  ]);
  pending.sort(([a], [b]) => String(a).localeCompare(String(b)));
  return JSON.stringify([links.sort(), sessions.sort(), pending, [...signs.values()].sort()]);
}

/** Tells whether a call of unknown outcome can have changed these rows. Rows are never deleted. */
export function canHaveWorked({ step }: LedgerCall, { sessions, exchanges }: GroupSnapshot): boolean {
  switch (step.kind) {
    case 'saveExchangeToken': {
      const row = exchanges[step.exchangeToken];
      return row?.user === step.user && row.token === step.token;
    }
    case 'authenticate': {
      const row = exchanges[step.exchangeToken];
      return row !== undefined && (row.failures > 0 || (row.used && step.patient !== undefined));
    }
    case 'saveAuthInfo':
      return sessions[step.token] !== undefined;
    case 'getPatient':
      return false;
    default:
      return true;
  }
}

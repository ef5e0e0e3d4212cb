/** Reads the kit's run.json, to be walked through. */
import type { Verdict } from '#conformance/engine/check/verdict.ts';
import { attributionOf } from '#conformance/engine/journal/attribution.ts';
import type { ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { type Run, runInPieces } from '#conformance/engine/journal/run-file.ts';
import { judging } from '#conformance/roles/judge.ts';
import { EXCHANGE_TOKEN_LIFETIME_MS, TTL_UNIT_MS } from '#protocol/limits.ts';
import type { Message, MessageDetail, Replay, Row, StateChange, StateRow } from '../api.ts';
import { liveVerdictsOf, partyIn } from './live-judge.ts';
import { changesByMessage, type StoredChange, type StoredRow } from './stored-rows.ts';
import { attributeIn, objectIn, objectOf } from './wires/identities.ts';
import { detailOf, rowOf } from './wires/rows.ts';

/**
 * Reads a run in pieces, with turns for others between them: calls through the proxies go on meanwhile.
 * @param nextTurn waits until others had their turn
 * @throws Error that says what is wrong with the file
 */
export async function replayOf(content: unknown, nextTurn: () => Promise<unknown>): Promise<Replay> {
  const replaying = replayInPieces(content);
  for (;;) {
    const { done, value } = replaying.next();
    if (done) return value;
    await nextTurn();
  }
}

/** The number of entries that are turned into rows at a time. */
const PIECE = 250;

function* replayInPieces(content: unknown): Generator<unknown, Replay> {
  const run = yield* runInPieces(content, 'the file');
  const startedAt = Date.parse(run.meta.startedAt);
  const judged: Verdict[] = [];
  for (const verdict of judging(run)) yield judged.push(verdict);
  const party = partyIn(run.meta);
  const verdicts = liveVerdictsOf(judged, party);
  const changesBySeq = changesByMessage(run.entries);
  const personOf = peopleOfRun(run);
  const rows: Row[] = [];
  const details: Record<number, MessageDetail> = {};
  for (const [at, entry] of run.entries.entries()) {
    if (at % PIECE === 0) yield;
    const row = rowOf(entry, startedAt, entry.kind === 'exchange' ? personOf(entry) : undefined);
    if (!row) continue;
    rows.push(row);
    if (row.kind !== 'message' || entry.kind !== 'exchange') continue;
    const own = verdicts.filter(({ evidence }) => evidence.includes(row.id));
    details[row.id] = {
      ...detailOf(entry, row),
      changes: (changesBySeq.get(row.id) ?? []).map((change) => stateChange(change, row)),
      verdicts: own,
    };
  }
  const { target, startedAt: began, mode } = run.meta;
  return { target, startedAt: began, mode, judged: party, rows, details, verdicts };
}

/** A saved run has no more of the state than its messages tell. */
function stateChange({ how, row: stored }: StoredChange, { id, endedAt }: Message): StateChange {
  const { party, table, user, token } = stored;
  const life = lifetimeOf(stored);
  const row: StateRow = {
    id: token ?? user,
    user,
    ...(token !== undefined && { token }),
    changedBy: id,
    ...(table === 'correspondence' && { signOnRecord: true }),
    ...(how === 'added' && life !== undefined && { endsAt: endedAt + life }),
  };
  return { party, table, how, row };
}

/** How long a row lives, in milliseconds; undefined: it does not end, or no message told. */
function lifetimeOf({ table, ttl }: StoredRow): number | undefined {
  if (table === 'exchangeTokens') return EXCHANGE_TOKEN_LIFETIME_MS;
  return table === 'sessions' && ttl !== undefined ? ttl * TTL_UNIT_MS.minutes : undefined;
}

/**
 * Returns who is concerned by an exchange: by the steps of the kit, else by the phones in the messages. It is
 * asked for all of them, in their order.
 */
function peopleOfRun({ meta, entries }: Run): (exchange: ExchangeEntry) => string | undefined {
  const steps = attributionOf(entries);
  const names = objectIn(meta.configuration, 'people');
  /** The phone of a user, and the user of an exchange token. All are pseudonyms. */
  const phones = new Map<unknown, string>();
  const users = new Map<unknown, unknown>();
  return ({ seq, request, response }) => {
    const call = objectOf(request.body);
    const params = objectIn(call, 'params');
    const saved = objectIn(params, 'authInfo').user;
    const signedIn = objectIn(objectIn(objectOf(response?.body ?? ''), 'result'), 'authInfo').user;
    const attribute = attributeIn(params);
    if (attribute !== undefined && signedIn !== undefined) phones.set(signedIn, attribute);
    if (saved !== undefined && params.exchangeToken !== undefined) users.set(params.exchangeToken, saved);
    const user = saved ?? users.get(params.exchangeToken) ?? objectIn(call, 'cred').user;
    const phone = attribute ?? phones.get(user);
    const named = phone && String(names[phone] ?? phone.replaceAll(/[‹›]/g, ''));
    return steps.get(seq)?.user ?? named;
  };
}

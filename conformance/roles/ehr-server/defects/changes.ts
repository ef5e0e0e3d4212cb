/** How a wrong EHR server differs: by operators over its calls, and by other parts beneath the methods. */
import { matchQuery } from '#ehr-server/match-patient.ts';
import type { MatchQuery, Mis } from '#ehr-server/mis/mis.ts';
import type { Store } from '#ehr-server/store/store.ts';
import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { Ledger, UserSession } from '../../../engine/defects/ledger.ts';
import { done, Operators, refused, type Turn, type Which } from '../../../engine/defects/operators.ts';
import { type Members, membersOf, no, type RpcReply, yes } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../self-test/serve.ts';
import { AUTHENTICATE, RECORDS, REMOVALS, SAVES } from './methods.ts';

export type EhrTurn = Turn<EhrServerParts>;
export type EhrWhich = Which<EhrServerParts>;

/** How long a call lies between its look and its write. */
const WINDOW_MS = 5;

/** Wait so long that calls at the same time meet. */
export const aMoment = ({ clock }: EhrServerParts) =>
  new Promise<void>((resolve) => clock.after(WINDOW_MS, resolve));

export const { around, before, after, instead, memoised, shared, joined, forgets, both } =
  new Operators<EhrServerParts>({ ledgerOf: ({ seen }) => seen, aMoment });

/** Change some functions of the store. */
export function withStore(change: (store: Store, parts: EhrServerParts) => Partial<Store>): EhrChange {
  return { parts: (parts) => ({ store: { ...parts.store, ...change(parts.store, parts) } }) };
}

export function withRules(rules: Partial<EhrServerParts['rules']>): EhrChange {
  return { parts: (parts) => ({ rules: { ...parts.rules, ...rules } }) };
}

export function withMis(change: (mis: Mis) => Partial<Mis>): EhrChange {
  return { parts: ({ mis }) => ({ mis: { ...mis, ...change(mis) } }) };
}

/** Search for patients by another query. */
export function searchesBy(change: (query: MatchQuery) => MatchQuery): EhrChange {
  return withMis((mis) => ({ match: (query) => mis.match(change(query)) }));
}

/** Match only where what was sent fits the record in a further way, too. */
export const matchesOnlyIf = (fits: (sent: Members, patient: Patient) => boolean) =>
  instead(AUTHENTICATE, async (turn) => {
    const patient = await patientFitting(turn);
    return patient && !fits(propertiesIn(turn), patient) ? no('patient_not_matched') : undefined;
  });

/** Refuse properties of a form that must be taken. */
export const refusesForm = (isRefused: (sent: Members) => boolean) =>
  instead(AUTHENTICATE, (turn) => (isRefused(propertiesIn(turn)) ? no('invalid_params') : undefined));

/** Answer success where the right server refuses a call for a reason. */
export const saysYes = (which: EhrWhich, ...reasons: readonly Reason[]) =>
  after(refused(which, ...reasons), success);

/** Change the result of the calls that are carried out. */
export const inResults = (which: EhrWhich, change: (result: Members) => unknown) =>
  after(done(which), ({ reply, result }) =>
    isObject(reply.result) ? { ...reply, ...yes(change(result)) } : undefined,
  );

/** Change the record in replies. */
export const inRecords = (change: (record: Members) => Members) =>
  inResults(RECORDS, (result) => ({ ...result, patient: change(membersOf(result.patient)) }));

/** A success of the call, whatever a right server would say. */
export async function success(turn: EhrTurn): Promise<Members> {
  const { method } = turn.call;
  if (REMOVALS.includes(method)) return yes();
  const drawn = randomToken(turn.parts.random);
  if (SAVES.includes(method)) return yes({ id: drawn });
  const patient = await patientFitting(turn);
  return yes({ patient: patient ?? null, user_sign: drawn, userSign: drawn });
}

/** The one patient whom the properties of authenticate fit. */
export async function patientFitting({
  params,
  parts,
}: Pick<EhrTurn, 'params' | 'parts'>): Promise<Patient | undefined> {
  const { mis, rules } = parts;
  try {
    const query = matchQuery(params as Parameters<typeof matchQuery>[0], rules.matchingRequired);
    const [id] = await mis.match(query);
    return id === undefined ? undefined : await mis.get(id);
  } catch {
    // Properties that no search can be made of fit nobody.
    return undefined;
  }
}

/** What a search is by: the properties, with searchStrategy and medCardId, which stand beside them. */
export function propertiesIn({ params }: Pick<EhrTurn, 'params'>): Members {
  const { patientProperties, searchStrategy, medCardId } = params;
  return {
    ...(searchStrategy !== undefined && { searchStrategy }),
    ...(medCardId !== undefined && { medCardId }),
    ...membersOf(patientProperties),
  };
}

/** The session that the exchange token of a call announced. */
export function pendingOf({ params, seen }: Pick<EhrTurn, 'params' | 'seen'>): UserSession | undefined {
  return seen.exchangeTokens.get(String(params.exchangeToken));
}

/** The session that an exchange token announced, by the hash that the store is given. */
export function sessionOfHash(seen: Ledger, hash: Uint8Array): UserSession | undefined {
  return [...seen.exchangeTokens].find(([token]) => String(hashToken(token)) === String(hash))?.[1];
}

/** The id of the patient in a result. */
export const patientIdIn = (result: Members | undefined) => membersOf(result?.patient).id;

/** The cred of the authorization server over this secret. */
export function internalCred({ rules }: EhrServerParts, secret: string) {
  return { user: rules.internalUser, token: digest(rules.internalPassword, secret) };
}

/** The reply with other members in its error. */
export function inError(reply: RpcReply, members: Members): Members {
  return { ...reply, error: { ...membersOf(reply?.error), ...members } };
}

/**
 * The ways in which a variant differs from the right EHR server, in calls or in a part below them, and what these
 * ways read of a call. Where a change gives `undefined` or `false`, the right server's call or reply stays.
 */
import { matchQuery } from '#ehr-server/match-patient.ts';
import type { Mis } from '#ehr-server/mis/mis.ts';
import type { Store } from '#ehr-server/store/store.ts';
import { randomToken } from '#protocol/time/random.ts';
import { isObject } from '#protocol/wire/envelope.ts';
import type { Reason } from '#protocol/wire/errors.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { digest, hashToken } from '#protocol/wire/hashes.ts';
import type { Variant } from '../../../engine/defects/catalogue.ts';
import { defect as defectOf, harmless as harmlessOf } from '../../../engine/defects/defect.mjs';
import type { Ledger, UserSession } from '../../../engine/defects/ledger.ts';
import { ANY, done, Operators, refused, type Turn, type Which } from '../../../engine/defects/operators.ts';
import { type Members, membersOf, no, type RpcReply, yes } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../self-test/serve.ts';
import { METHODS } from '../world/messages.ts';

export type EhrVariant = Variant & EhrChange;

export const {
  saveAuthInfo: SAVE,
  saveExchangeToken: SAVE_EXCHANGE_TOKEN,
  authenticate: AUTHENTICATE,
  getPatient: READ,
  removeAuthInfo: LOG_OUT,
  removeAuthentication: DISCONNECT,
}: Readonly<Record<keyof typeof METHODS, string>> = METHODS;

export const SAVES = [SAVE, SAVE_EXCHANGE_TOKEN];
export const REMOVALS = [LOG_OUT, DISCONNECT];
export const RECORDS = [READ, AUTHENTICATE];
export const OF_SESSIONS = [READ, ...REMOVALS];

export type EhrTurn = Turn<EhrServerParts>;
export type EhrWhich = Which<EhrServerParts>;

/** How long (ms) a wrong server waits between reading its state and writing it: the time of a race. */
const WINDOW_MS = 5;

/** Each operator is described in `operators.ts`. */
export const { around, before, after, instead, cached, inSharedVariable, asOneCall, forgets, both, aMoment } =
  new Operators<EhrServerParts>(WINDOW_MS);

export function withStore(change: (store: Store, parts: EhrServerParts) => Partial<Store>): EhrChange {
  return { parts: (parts) => ({ store: { ...parts.store, ...change(parts.store, parts) } }) };
}

export function withRules(rules: Partial<EhrServerParts['rules']>): EhrChange {
  return { parts: (parts) => ({ rules: { ...parts.rules, ...rules } }) };
}

export function withMis(change: (mis: Mis) => Partial<Mis>): EhrChange {
  return { parts: ({ mis }) => ({ mis: { ...mis, ...change(mis) } }) };
}

export const matchesOnlyIf = (fits: (sent: Members, patient: Patient) => boolean) =>
  refuses(AUTHENTICATE, 'patient_not_matched', async (turn) => {
    const patient = await patientFitting(turn);
    return patient && !fits(propertiesIn(turn), patient);
  });

type IsMeant = (turn: EhrTurn) => unknown;

/** Refuse the calls that are meant, whatever the right server would answer. */
export const refuses = (which: EhrWhich, reason: Reason, isMeant: IsMeant) =>
  instead(which, async (turn) => Boolean(await isMeant(turn)) && no(reason));

/** Answer the calls that are meant with a success where the right server refuses them for this reason. */
export const acceptsRefused = (which: EhrWhich, reason: Reason, isMeant: IsMeant = ANY) =>
  after(refused(which, reason), (turn) => Boolean(isMeant(turn)) && success(turn));

/** Link each user with the signature that `userSign` computes. */
export const signs = (userSign: (link: { patientId: string; user: string }) => string): EhrChange =>
  withStore((store, { seen }) => ({
    link(request) {
      const user = sessionOfHash(seen, request.exchangeToken)?.user ?? '';
      return store.link({ ...request, newUserSign: userSign({ patientId: request.patientId, user }) });
    },
  }));

export const inResults = (which: EhrWhich, change: (result: Members) => unknown) =>
  after(done(which), ({ reply, result }) => isObject(reply.result) && { ...reply, ...yes(change(result)) });

export const inRecords = (change: (record: Members) => Members) =>
  inResults(RECORDS, (result) => ({ ...result, patient: change(membersOf(result.patient)) }));

/** A success of the call as a right server would write it, although the right server may refuse the call. */
export async function success(turn: EhrTurn): Promise<Members> {
  const { method } = turn.call;
  if (REMOVALS.includes(method)) return yes();
  const drawn = randomToken(turn.parts.random);
  if (SAVES.includes(method)) return yes({ id: drawn });
  const patient = await patientFitting(turn);
  return yes({ patient: patient ?? null, user_sign: drawn, userSign: drawn });
}

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

/** All values of authenticate that a search uses: the patient properties, searchStrategy and medCardId. */
export function propertiesIn({ params }: Pick<EhrTurn, 'params'>): Members {
  const { patientProperties, searchStrategy, medCardId } = params;
  return {
    ...(searchStrategy !== undefined && { searchStrategy }),
    ...(medCardId !== undefined && { medCardId }),
    ...membersOf(patientProperties),
  };
}

export function pendingOf({ params, seen }: Pick<EhrTurn, 'params' | 'seen'>): UserSession | undefined {
  return seen.exchangeTokens.get(String(params.exchangeToken));
}

/** The session for which an exchange token was saved. The store is given the hash of the token alone. */
export function sessionOfHash(seen: Ledger, hash: Uint8Array): UserSession | undefined {
  return [...seen.exchangeTokens].find(([token]) => String(hashToken(token)) === String(hash))?.[1];
}

export const patientIdIn = (result: Members | undefined) => membersOf(result?.patient).id;

/** The right cred of the authorization server: its user, and the digest over password and secret. */
export function internalCred({ rules }: EhrServerParts, secret: string) {
  return { user: rules.internalUser, token: digest(rules.internalPassword, secret) };
}

export function inError(reply: RpcReply, members: Members): Members {
  return { ...reply, error: { ...membersOf(reply?.error), ...members } };
}

export const defect = defectOf<EhrChange>;
export const harmless = harmlessOf<EhrChange>;

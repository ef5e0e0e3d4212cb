/** Defects of an EHR server by which a caller acts as another user, or sees what is not theirs. */
import { createHash } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { bytesToHex } from '@noble/hashes/utils.js';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { randomToken } from '#protocol/time/random.ts';
import { digest, hashToken } from '#protocol/wire/hashes.ts';
import type { Ledger } from '../../../engine/defects/ledger.ts';
import { ANY, type Answered, done, refused } from '../../../engine/defects/operators.ts';
import { membersOf, no, type RpcCall, withCred, yes } from '../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../self-test/serve.ts';
import { jsonIn } from '../world/messages.ts';
import {
  AUTHENTICATE,
  after,
  before,
  both,
  DISCONNECT,
  defect,
  type EhrTurn,
  type EhrWhich,
  inError,
  inRecords,
  inResults,
  inSharedVariable,
  instead,
  internalCred,
  patientIdIn,
  pendingOf,
  propertiesIn,
  READ,
  RECORDS,
  REMOVALS,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  SAVES,
  signs,
  success,
  withStore,
} from './changes.ts';
import { byRequest, inBatches, inBatchReplies, inResponses } from './message-changes.ts';
import { endsFurther, leavesSessions } from './sessions.ts';

type Given = { cred: unknown; token: string; secret: string; password: string; seen: Ledger };
type IsTaken = (given: Given) => boolean;

/** The exchange token, or the user_sign of the user's link; undefined: the user has no link. */
export async function secretOf({
  params,
  authInfo,
  parts,
}: Pick<EhrTurn, 'params' | 'authInfo' | 'parts'>): Promise<string | undefined> {
  if (params.exchangeToken !== undefined) return String(params.exchangeToken);
  return (await parts.store.findLink(String(authInfo.user)))?.userSign;
}

/** Carry out an internal call where `isTaken`. Its `secret` is what the right digest is over. */
const takes = (method: string, isTaken: IsTaken) =>
  before(method, async (turn) => {
    const { call, cred, parts, seen } = turn;
    const secret = await secretOf(turn);
    if (secret === undefined) return undefined;
    const token = String(cred.token);
    const given = { cred: call.cred, token, secret, password: parts.rules.internalPassword, seen };
    return isTaken(given) && { ...call, cred: internalCred(parts, secret) };
  });

const latin1 = (password: string, secret: string) =>
  createHash('sha1').update(Buffer.from(password, 'latin1')).update(secret).digest('hex');

const isOverAnySign: IsTaken = ({ password, token, seen }) =>
  seen.calls.some(
    ({ result }) => 'userSign' in result && token === digest(password, String(result.userSign)),
  );

const isMissing: IsTaken = ({ cred }) => cred === undefined || cred === null;

const OF_HEADER = 'named by a header';

function trustsForwardedFor(): EhrChange {
  // The change is asked for each channel's listener in turn, so the internal one is kept for the public one.
  const listeners: { internal?: RequestListener } = {};
  return {
    http(listener, channel) {
      if (channel === 'internal') listeners.internal = listener;
      return (request, response) => {
        const isTrusted = channel === 'public' && request.headers['x-forwarded-for'] === '127.0.0.1';
        ((isTrusted && listeners.internal) || listener)(request, response);
      };
    },
  };
}

async function rightCred({ method, params }: RpcCall, parts: EhrServerParts) {
  const sent = membersOf(params);
  const secret = await secretOf({ params: sent, authInfo: membersOf(sent.authInfo), parts });
  return SAVES.includes(method) && secret !== undefined ? internalCred(parts, secret) : undefined;
}

const cachesRecordBy = (which: EhrWhich, keyOf: (turn: Answered<EhrServerParts>) => unknown) =>
  after(done(which), (turn) => yes(turn.seen.noteFirst('records', keyOf(turn), turn.result)));

/** More scenarios than there are patients, so that each patient is linked again by another user. */
const LINKING_SCENARIOS = [
  'removals-return-nothing',
  'exchange-token-opens',
  'exchange-token-used-once',
  'exchange-token-unknown',
  'exchange-token-alone-opens-nothing',
  'no-patient-no-session',
  'no-session-no-data',
  'id-returned',
  'calls-of-batch-apart',
  'own-patient-at-once',
  'save-opens-linked-user',
  'repeated-save-refused',
  'record-agrees-with-match',
  'saves-of-batch-apart',
  'json-types-taken',
];

export const othersDefects = [
  defect('save-digest-verified', 'digest-by-its-beginning', {
    title: 'The digest of save_auth_info is compared by its first sixteen characters',
    ...takes(
      SAVE,
      ({ password, secret, token }) => token.slice(0, 16) === digest(password, secret).slice(0, 16),
    ),
  }),
  defect('save-digest-verified', 'digest-in-latin-1', {
    title: 'The digest of save_auth_info is verified over the password in Latin-1, too',
    ...takes(SAVE, ({ password, secret, token }) => token === latin1(password, secret)),
  }),
  defect('save-digest-verified', 'digest-of-any-user', {
    title: 'The digest of save_auth_info is verified over the signature of any user',
    ...takes(SAVE, isOverAnySign),
  }),
  defect('exchange-token-digest-verified', 'exchange-digest-over-signature', {
    title: 'The digest of save_exchange_token is verified over the signature of any user',
    ...takes(SAVE_EXCHANGE_TOKEN, isOverAnySign),
  }),
  defect('exchange-token-digest-verified', 'exchange-digest-of-any-token', {
    title: 'The digest of save_exchange_token is looked at for its shape alone',
    ...takes(SAVE_EXCHANGE_TOKEN, ({ token }) => /^[0-9a-f]{40}$/.test(token)),
  }),
  defect('save-needs-cred', 'save-without-cred', {
    title: 'save_auth_info without a cred is carried out',
    ...takes(SAVE, isMissing),
  }),
  defect('exchange-token-needs-cred', 'exchange-token-without-cred', {
    title: 'save_exchange_token without a cred is carried out',
    ...takes(SAVE_EXCHANGE_TOKEN, isMissing),
  }),
  defect('internal-user-checked', 'internal-user-never-compared', {
    title: 'The user of an internal cred is never compared',
    ...before(SAVE, ({ call, parts }) => withCred(call, { user: parts.rules.internalUser })),
  }),
  defect('authorization-header-opens-nothing', 'password-in-header', {
    title: 'An Authorization header takes the place of the digest',
    ...takes(SAVE, ({ cred }) => cred === OF_HEADER),
    ...byRequest((call, { headers }) =>
      headers.authorization === undefined ? undefined : { ...call, cred: OF_HEADER },
    ),
  }),
  defect('levels-not-mixed', 'session-saves', {
    title: 'save_auth_info takes a session in the place of the digest',
    ...instead(
      SAVE,
      async (turn) =>
        (await turn.parts.store.findSession(hashToken(String(turn.cred.token)))) && success(turn),
    ),
  }),
  defect('levels-not-mixed', 'digest-reads', {
    title: 'get_patient takes the internal user in the place of a session',
    ...instead(READ, ({ cred, parts }) => cred.user === parts.rules.internalUser && yes({ patient: null })),
  }),
  defect('internal-methods-not-public', 'internal-methods-in-public', {
    title: 'The two save methods are served at the public address',
    pipeline: (pipeline) => (text, asked) => pipeline(text, asked === 'public' ? 'any' : asked),
  }),
  defect('internal-methods-not-disguised', 'batch-served-inside', {
    title: 'A batch at the public address may hold internal calls',
    pipeline: (pipeline) => (text, channel) =>
      pipeline(text, channel === 'public' && Array.isArray(jsonIn(text)) ? 'any' : channel),
  }),
  defect('internal-methods-not-disguised', 'forwarded-for-trusted', {
    title: 'X-Forwarded-For of this machine opens the internal methods at the public address',
    ...trustsForwardedFor(),
  }),
  defect('calls-of-batch-apart', 'batch-by-first-cred', {
    title: 'A call of a batch without a cred takes that of the first call',
    ...inBatches((calls) => calls.map((call) => ({ ...call, cred: call.cred ?? calls[0]?.cred }))),
  }),
  defect('calls-of-batch-apart', 'batch-replies-turned', {
    title: 'The replies of a batch have the results of other calls',
    ...inBatchReplies((replies) =>
      replies.map(({ id }, index) => ({ ...replies[(index + 1) % replies.length], id })),
    ),
  }),
  defect('saves-of-batch-apart', 'batch-verified-once', {
    title: 'Of a batch of saves the first digest alone is verified',
    ...inBatches(async (calls, parts) => {
      const creds = await Promise.all(calls.map((call) => rightCred(call, parts)));
      const isVerified = calls.length > 0 && JSON.stringify(calls[0]?.cred) === JSON.stringify(creds[0]);
      return isVerified
        ? calls.map((call, index) => ({ ...call, cred: creds[index] ?? call.cred }))
        : undefined;
    }),
  }),
  defect('nobody-linked-by-params', 'user-of-params-linked', {
    title: 'authenticate opens the session for a user among its params, too',
    ...both(
      after(done(AUTHENTICATE), (turn) => {
        const pending = pendingOf(turn);
        const named = `${turn.params.user} ${pending?.token}`;
        if (pending) turn.seen.notes<string>('named').set(named, pending.user);
      }),
      before(READ, ({ call, cred, seen }) => {
        const user = seen.notes<string>('named').get(`${cred.user} ${cred.token}`);
        return user !== undefined && withCred(call, { user });
      }),
    ),
  }),
  defect('nobody-linked-by-params', 'patient-of-properties-linked', {
    title: 'authenticate takes the id of a patient among the properties',
    ...after(done(AUTHENTICATE), async (turn) => {
      const patient = await turn.parts.mis.get(String(propertiesIn(turn).patientId));
      return patient && yes({ ...turn.result, patient });
    }),
  }),
  defect('nobody-saved-by-params', 'signature-of-named-user', {
    title: 'save_auth_info looks the user_sign up by a user beside its authInfo',
    ...before(SAVE, async ({ call, params, cred, authInfo, parts }) => {
      const named = await parts.store.findLink(String(params.user));
      const meant = await parts.store.findLink(String(authInfo.user));
      const isTaken = named && cred.token === digest(parts.rules.internalPassword, named.userSign);
      return isTaken && meant && { ...call, cred: internalCred(parts, meant.userSign) };
    }),
  }),
  defect('nobody-removed-by-params', 'removal-of-named-session', {
    title: 'A removal ends the session that its params name',
    ...before(
      REMOVALS,
      ({ call, params: { user, token } }) =>
        user !== undefined && token !== undefined && { ...call, cred: { user, token } },
    ),
  }),
  defect('ids-choose-nobody', 'patient-chosen-by-id', {
    title: 'get_patient honours an id among its params',
    ...after(done(READ), async ({ params: { patientId, id }, parts, result }) => {
      const patient = await parts.mis.get(String(patientId ?? id));
      return patient && yes({ ...result, patient });
    }),
  }),
  defect('replies-tell-nothing-of-others', 'reply-cached-by-patient', {
    title: 'The reply with a record is cached by its patient, user_sign included',
    ...cachesRecordBy(RECORDS, ({ result }) => patientIdIn(result)),
    playing: ['read-follows-new-link'],
  }),
  defect('replies-tell-nothing-of-others', 'holder-named-for-token', {
    title: 'The refusal of a taken session token names the user who holds it',
    ...after(refused(ANY, 'token_already_stored'), ({ reply, seen }) =>
      inError(reply, { message: `user=${seen.sessions[0]?.user} has it` }),
    ),
    playing: ['token-unique-across-users'],
  }),
  defect('replies-tell-nothing-of-others', 'patient-in-save-id', {
    title: 'The id that answers a save is made of the patient',
    ...after(done(SAVE), ({ authInfo, seen }) => {
      const { surname, birthdate } = membersOf(seen.links.get(String(authInfo.user))?.patient);
      return yes({ id: `${surname}.${birthdate}` });
    }),
    playing: ['save-opens-linked-user'],
  }),
  defect('replies-tell-nothing-of-others', 'day-of-birth-told', {
    title: 'A failed match tells the day of birth of whoever has the phone',
    ...after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
      const { phone } = propertiesIn(turn);
      const found = allPersonaPatients.find(({ phones }) => phones.includes(String(phone)));
      return found && inError(turn.reply, { hint: found.birthdate.slice(0, 10) });
    }),
    playing: ['every-property-counts'],
  }),
  defect('replies-tell-nothing-of-others', 'all-patients-in-reply', {
    title: 'The reply of get_patient holds all patients beside the own one',
    ...inResults(READ, (result) => ({ ...result, patients: allPersonaPatients })),
    playing: ['save-opens-linked-user'],
  }),
  defect('replies-tell-nothing-of-others', 'relative-told-with-card', {
    title: 'A record tells the medical card of a relative',
    ...inRecords((record) => ({
      ...record,
      familyMembers: [{ type: 1, patientId: 'p-anna', name: 'Anna', medcardNumber: 'MC-000001' }],
    })),
    playing: ['save-opens-linked-user'],
  }),
  defect('own-patient-at-once', 'requests-kept-by-id', {
    title: 'Requests under way are kept by their JSON-RPC id alone',
    ...inSharedVariable(READ, ({ call }) => call.id),
  }),
  defect('record-not-cached', 'reply-may-be-cached', {
    title: 'Replies with a record may be kept by any cache',
    ...inResponses(({ headers }) => ({ headers: { ...headers, 'cache-control': 'max-age=60' } })),
  }),
  defect('record-agrees-with-match', 'record-by-phone', {
    title: 'get_patient finds the record by the phone of the linked patient',
    ...inResults(READ, (result) => {
      const { phones } = membersOf(result.patient);
      const found = allPersonaPatients.find((each) =>
        each.phones.some((phone) => [phones].flat().includes(phone)),
      );
      return { ...result, patient: found };
    }),
  }),
  defect('read-follows-new-link', 'record-cached-by-user', {
    title: 'The record of a user stays in a cache when another patient is linked',
    ...cachesRecordBy(READ, ({ cred }) => cred.user),
  }),
  defect('link-ends-every-session', 'link-inherits-sessions', {
    title: 'A new link takes the row of a removed one, and its sessions',
    ...after(refused(READ, 'not_authorized'), ({ cred, seen }) => {
      const isRemoved = seen.done(DISCONNECT).some((call) => call.cred.token === cred.token);
      const heir = isRemoved ? [...seen.links.values()].at(-1) : undefined;
      return heir && yes(heir);
    }),
  }),
  defect('link-ends-every-session', 'disconnect-leaves-other-devices', {
    title: 'remove_authentication leaves the sessions that authenticate opened on other devices',
    ...leavesSessions(
      (token, seen) =>
        // Announced by save_exchange_token, and saved by no save_auth_info.
        seen.isAnnounced(token) && seen.sessions.filter((session) => session.token === token).length === 1,
    ),
  }),
  defect('link-ends-every-session', 'disconnect-ends-everybody', {
    title: 'remove_authentication ends the sessions of all users',
    ...endsFurther(DISCONNECT, ({ seen }) => seen.sessions.map(({ token }) => token)),
  }),
  defect('like-users-kept-apart', 'disconnect-by-beginning', {
    title: 'remove_authentication ends the sessions of all users whose names begin alike',
    ...endsFurther(DISCONNECT, ({ cred, seen }) =>
      seen.sessions
        .filter(({ user }) => user !== cred.user && user.startsWith(String(cred.user)))
        .map(({ token }) => token),
    ),
  }),
  defect('signature-of-each-link', 'signature-from-ids', {
    title: 'The user_sign is a hash of the user and the patient',
    ...signs(({ patientId, user }) => bytesToHex(hashToken(`${user}:${patientId}`))),
  }),
  defect('signature-of-each-link', 'signature-of-patient-for-all', {
    title: 'The user_sign belongs to the patient: another user of the patient has it',
    ...signs(({ patientId }) => bytesToHex(hashToken(`secret of this server ${patientId}`))),
  }),
  defect('signature-of-each-link', 'signature-counted', {
    title: 'A user_sign is the one before, counted on',
    ...withStore((store, { random, seen }) => {
      const start = randomToken(random);
      const next = () => `${start}${String(seen.countUp('signatures')).padStart(6, '0')}`;
      return { link: (request) => store.link({ ...request, newUserSign: next() }) };
    }),
  }),
  defect('patients-let-go', 'removed-link-keeps-patient', {
    title: 'A patient whose link was removed stays linked for everybody else',
    ...both(
      after(done(DISCONNECT), ({ cred, seen }) => {
        const patient = patientIdIn(seen.links.get(String(cred.user)));
        seen.notes<unknown>('kept for').set(patient, cred.user);
      }),
      after(done(AUTHENTICATE), (turn) => {
        const holder = turn.seen.notes<unknown>('kept for').get(patientIdIn(turn.result));
        return holder !== undefined && holder !== pendingOf(turn)?.user && no('patient_already_linked');
      }),
    ),
    playing: LINKING_SCENARIOS,
  }),
];

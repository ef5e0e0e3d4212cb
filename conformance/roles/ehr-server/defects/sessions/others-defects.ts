/** Defects of an EHR server by which a caller acts as another user, or sees what is not theirs. */
import { bytesToHex } from '@noble/hashes/utils.js';
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { randomToken } from '#protocol/time/random.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { ANY, type Answered, done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, no, withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import {
  AUTHENTICATE,
  after,
  before,
  both,
  DISCONNECT,
  type EhrTurn,
  type EhrWhich,
  foundBy,
  inError,
  inResults,
  internalCred,
  patientIdIn,
  pendingOf,
  propertiesIn,
  READ,
  RECORDS,
  REMOVALS,
  SAVE,
  sessionOfHash,
  shared,
  withStore,
} from '../changes.ts';
import { inResponses } from '../messages/message-defects.ts';
import { endsFurther, leavesSessions } from './session-defects.ts';

/** Let a read with another name that authenticate gave open the session of the right user. */
const linksNamed = (named: (turn: EhrTurn) => unknown) =>
  both(
    after(done(AUTHENTICATE), (turn) => {
      const pending = pendingOf(turn);
      if (pending) turn.seen.notes<string>('named').set(`${named(turn)} ${pending.token}`, pending.user);
    }),
    before(READ, ({ call, cred, seen }) => {
      const user = seen.notes<string>('named').get(`${cred.user} ${cred.token}`);
      return user === undefined ? undefined : withCred(call, { user });
    }),
  );

const namesHolder = (reason: string, message: (holder: UserSession) => string) =>
  after(refused(ANY, reason), ({ reply, seen }) => {
    const [holder] = seen.sessions;
    return holder && inError(reply, { message: message(holder) });
  });

const chosenBy = (choose: (params: Members) => unknown) =>
  after(done(READ), async ({ params, parts, result }) => {
    const patient = await parts.mis.get(String(choose(params)));
    return patient && yes({ ...result, patient });
  });

const tellsFitting = (fits: (sent: Members, patient: Patient) => boolean, told: (of: Patient) => unknown) =>
  after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
    const found = allPersonaPatients.find((patient) => fits(propertiesIn(turn), patient));
    return found && inError(turn.reply, { hint: told(found) });
  });

const cachesRecordBy = (which: EhrWhich, keyOf: (turn: Answered<EhrServerParts>) => unknown) =>
  after(done(which), (turn) => yes(turn.seen.first('records', keyOf(turn), turn.result)));

export const othersDefects = foundBy({
  'nobody-linked-by-params': [
    'user-of-params-linked: authenticate opens the session for a user among its params, too',
    linksNamed(({ params }) => params.user),
    'patient-of-properties-linked: authenticate takes the id of a patient among the properties',
    after(done(AUTHENTICATE), async (turn) => {
      const patient = await turn.parts.mis.get(String(propertiesIn(turn).patientId));
      return patient && yes({ ...turn.result, patient });
    }),
  ],
  'nobody-saved-by-params': [
    'signature-of-named-user: save_auth_info looks the user_sign up by a user beside its authInfo',
    before(SAVE, async ({ call, params, cred, authInfo, parts }) => {
      const named = await parts.store.findLink(String(params.user));
      const meant = await parts.store.findLink(String(authInfo.user));
      const isTaken = named && cred.token === digest(parts.rules.internalPassword, named.userSign);
      return isTaken && meant ? { ...call, cred: internalCred(parts, meant.userSign) } : undefined;
    }),
  ],
  'nobody-removed-by-params': [
    'removal-of-named-session: A removal ends the session that its params name',
    before(REMOVALS, ({ call, params: { user, token } }) =>
      user !== undefined && token !== undefined ? { ...call, cred: { user, token } } : undefined,
    ),
  ],
  'ids-choose-nobody': [
    'patient-chosen-by-id: get_patient honours an id among its params',
    chosenBy(({ patientId, id }) => patientId ?? id),
  ],
  'replies-tell-nothing-of-others': [
    'reply-cached-by-patient: The reply with a record is cached by its patient, user_sign included',
    cachesRecordBy(RECORDS, ({ result }) => patientIdIn(result)),
    { playing: ['read-follows-new-link'] },
    'holder-named-for-token: The refusal of a taken session token names the user who holds it',
    namesHolder('token_already_stored', ({ user }) => `user=${user} has it`),
    { playing: ['token-unique-across-users'] },
    'day-of-birth-told: A failed match tells the day of birth of whoever has the phone',
    tellsFitting(
      ({ phone }, { phones }) => phones.includes(String(phone)),
      ({ birthdate }) => birthdate.slice(0, 10),
    ),
    { playing: ['every-property-counts'] },
    'all-patients-in-reply: The reply of get_patient holds all patients beside the own one',
    inResults(READ, (result) => ({ ...result, patients: allPersonaPatients })),
    { playing: ['save-opens-linked-user'] },
  ],
  'own-patient-at-once': [
    'requests-kept-by-id: Requests under way are kept by their JSON-RPC id alone',
    shared(READ, ({ call }) => call.id),
  ],
  'record-not-cached': [
    'reply-may-be-cached: Replies with a record may be kept by any cache',
    inResponses(({ headers }) => ({ headers: { ...headers, 'cache-control': 'max-age=60' } })),
  ],
});

const signs = (userSign: (link: { patientId: string; user: string }) => string): EhrChange =>
  withStore((store, { seen }) => ({
    link(request) {
      const user = sessionOfHash(seen, request.exchangeToken)?.user ?? '';
      return store.link({ ...request, newUserSign: userSign({ patientId: request.patientId, user }) });
    },
  }));

const countedSigns = withStore((store, { random, seen }) => {
  const start = randomToken(random);
  const next = () => `${start}${String(seen.count('signatures')).padStart(6, '0')}`;
  return { link: (request) => store.link({ ...request, newUserSign: next() }) };
});

const keepsPatients = both(
  after(done(DISCONNECT), ({ cred, seen }) => {
    const patient = patientIdIn(seen.links.get(String(cred.user)));
    seen.notes<unknown>('kept for').set(patient, cred.user);
  }),
  after(done(AUTHENTICATE), (turn) => {
    const holder = turn.seen.notes<unknown>('kept for').get(patientIdIn(turn.result));
    const isOther = holder !== undefined && holder !== pendingOf(turn)?.user;
    return isOther ? no('patient_already_linked') : undefined;
  }),
);

/** More scenarios than there are patients, so that each patient is linked again by another user. */
const SCENARIOS = [
  ...[
    'removals-return-nothing',
    'exchange-token-opens',
    'exchange-token-used-once',
    'exchange-token-unknown',
  ],
  ...['exchange-token-alone-opens-nothing', 'no-patient-no-session', 'no-session-no-data', 'id-returned'],
  ...['calls-of-batch-apart', 'own-patient-at-once', 'save-opens-linked-user', 'repeated-save-refused'],
  ...['record-agrees-with-match', 'saves-of-batch-apart', 'json-types-taken'],
];

export const formerLinkDefects = foundBy({
  'read-follows-new-link': [
    'record-cached-by-user: The record of a user stays in a cache when another patient is linked',
    cachesRecordBy(READ, ({ cred }) => cred.user),
  ],
  'link-ends-every-session': [
    'link-inherits-sessions: A new link takes the row of a removed one, and its sessions',
    after(refused(READ, 'not_authorized'), ({ cred, seen }) => {
      const isRemoved = seen.done(DISCONNECT).some((call) => call.cred.token === cred.token);
      const heir = isRemoved ? [...seen.links.values()].at(-1) : undefined;
      return heir && yes(heir);
    }),
    'disconnect-leaves-other-devices: remove_authentication leaves the sessions that authenticate opened on other devices',
    leavesSessions(
      (token, seen) =>
        seen.isAnnounced(token) && seen.sessions.filter((session) => session.token === token).length === 1,
    ),
    'disconnect-ends-everybody: remove_authentication ends the sessions of all users',
    endsFurther(DISCONNECT, ({ seen }) => seen.sessions.map(({ token }) => token)),
  ],
  'like-users-kept-apart': [
    'disconnect-by-beginning: remove_authentication ends the sessions of all users whose names begin alike',
    endsFurther(DISCONNECT, ({ cred, seen }) =>
      seen.sessions
        .filter(({ user }) => user !== cred.user && user.startsWith(String(cred.user)))
        .map(({ token }) => token),
    ),
  ],
  'signature-of-each-link': [
    'signature-from-ids: The user_sign is a hash of the user and the patient',
    signs(({ patientId, user }) => bytesToHex(hashToken(`${user}:${patientId}`))),
    'signature-of-patient-for-all: The user_sign belongs to the patient: another user of the patient has it',
    signs(({ patientId }) => bytesToHex(hashToken(`secret of this server ${patientId}`))),
    'signature-counted: A user_sign is the one before, counted on',
    countedSigns,
  ],
  'patients-let-go': [
    'removed-link-keeps-patient: A patient whose link was removed stays linked for everybody else',
    keepsPatients,
    { playing: SCENARIOS },
  ],
});

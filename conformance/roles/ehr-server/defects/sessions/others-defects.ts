/**
 * Defects of an EHR server by which a caller acts as another user, or is shown and told what belongs to
 * others. A key is the check that must find the defects below it. A text `id: title` begins a defect; its
 * change of the right server follows. `playing` names the scenarios to play for a check that judges the
 * messages of all scenarios.
 */

import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import type { Patient } from '#protocol/wire/fields.ts';
import { digest } from '#protocol/wire/hashes/digest.ts';
import type { UserSession } from '../../../../engine/defects/ledger.ts';
import { ANY, done, refused } from '../../../../engine/defects/operators.ts';
import { type Members, withCred, yes } from '../../../../engine/defects/rpc-call.ts';
import {
  after,
  before,
  both,
  type EhrTurn,
  inError,
  inResults,
  internalCred,
  pendingOf,
  propertiesIn,
  shared,
} from '../changes.ts';
import { foundBy } from '../defect.ts';
import { inRequests, inResponses } from '../messages/http-messages.ts';
import { AUTHENTICATE, DISCONNECT, READ, REMOVALS, SAVE, SAVE_EXCHANGE_TOKEN } from '../methods.ts';

/**
 * Open a session for the user whom authenticate names, too, and not only for the user of its exchange token:
 * a read with that name and the session token goes on with the right name.
 */
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

/** The request header that names a user. */
const READER_HEADER = 'x-user-id';
/**
 * Read with the newest session of the user whom the header names. The header is carried in a member of the
 * body.
 */
const readsForHeader = {
  ...before(READ, ({ call, seen }) => {
    const user = call.readerOfHeader;
    const token = seen.tokensOf(user).at(-1);
    return token ? { ...call, cred: { user, token } } : undefined;
  }),
  ...inRequests(({ headers, body }) => {
    const user = headers[READER_HEADER];
    if (user === undefined) return {};
    return { body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), readerOfHeader: user })) };
  }),
};

/**
 * Tell in a refusal who holds what the caller asked for: here the user of the first session that the server
 * saw.
 */
const namesHolder = (reason: string, message: (holder: UserSession) => string) =>
  after(refused(ANY, reason), ({ reply, seen }) => {
    const [holder] = seen.sessions;
    return holder && inError(reply, { message: message(holder) });
  });

/** Answer get_patient with the patient whose id stands among its params, where there is one. */
const chosenBy = (choose: (params: Members) => unknown) =>
  after(done(READ), async ({ params, parts, result }) => {
    const patient = await parts.mis.get(String(choose(params)));
    return patient && yes({ ...result, patient });
  });

/** Tell in the refusal of a failed match something of the first patient who fits the sent properties. */
const tellsFitting = (fits: (sent: Members, patient: Patient) => boolean, told: (of: Patient) => unknown) =>
  after(refused(AUTHENTICATE, 'patient_not_matched'), (turn) => {
    const found = allPersonaPatients.find((patient) => fits(propertiesIn(turn), patient));
    return found && inError(turn.reply, { hint: told(found) });
  });

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
    'user-chosen-by-header: get_patient reads for the user whom a header names',
    readsForHeader,
    'patient-chosen-by-id: get_patient honours an id among its params',
    chosenBy(({ patientId, id }) => patientId ?? id),
  ],
  'replies-tell-nothing-of-others': [
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
    'signature-announced: The reply of save_exchange_token holds the user_sign of the user',
    after(done(SAVE_EXCHANGE_TOKEN), async ({ authInfo, result, parts }) => {
      const link = await parts.store.findLink(String(authInfo.user));
      return link && yes({ ...result, user_sign: link.userSign });
    }),
    { playing: ['link-ends-every-session'] },
  ],
  'own-patient-at-once': [
    'requests-kept-by-id: Requests under way are kept by their JSON-RPC id alone',
    shared(READ, ({ call }) => call.id),
  ],
  'former-session-reads-nothing': [
    'link-inherits-sessions: A new link takes the row of a removed one, and its sessions',
    after(refused(READ, 'not_authorized'), ({ cred, seen }) => {
      const isRemoved = seen.done(DISCONNECT).some((call) => call.cred.token === cred.token);
      const heir = isRemoved ? [...seen.links.values()].at(-1) : undefined;
      return heir && yes(heir);
    }),
  ],
  'record-not-cached': [
    'reply-may-be-cached: Replies with a record may be kept by any cache',
    inResponses(({ headers }) => ({ headers: { ...headers, 'cache-control': 'max-age=60' } })),
  ],
});

/**
 * Defects of an EHR server in which something of a former link is left after its end: its patient, its
 * record, its sessions, its user_sign. A key is the check that must find the defects below it. A text `id:
 * title` begins a defect; its change of the right server follows. `playing` names the scenarios to play for a
 * check that judges the messages of all scenarios.
 */

import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/hashes/secrets.ts';
import type { Ledger } from '../../../../engine/defects/ledger.ts';
import { type Answered, done } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import { after, both, type EhrWhich, patientIdIn, pendingOf, sessionOfHash, withStore } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, READ, RECORDS } from '../methods.ts';
import { endsFurther, leavesSessions, takesSignsOf } from './session-changes.ts';

/**
 * Answer a call that succeeds with the result of the first call of the same key: a cache that nothing clears.
 */
const cachesRecordBy = (which: EhrWhich, keyOf: (turn: Answered<EhrServerParts>) => unknown) =>
  after(done(which), (turn) => yes(turn.seen.first('records', keyOf(turn), turn.result)));

/** Make the user_sign of a new link in another way than by chance. */
const signs = (userSign: (link: { patientId: string; user: string }) => string): EhrChange =>
  withStore((store, { seen }) => ({
    link(request) {
      const user = sessionOfHash(seen, request.exchangeToken)?.user ?? '';
      return store.link({ ...request, newUserSign: userSign({ patientId: request.patientId, user }) });
    },
  }));

/** Make each user_sign from the same beginning and a number that counts up. */
const countedSigns = withStore((store, { random, seen }) => {
  const start = randomToken(random);
  const next = () => `${start}${String(seen.count('signatures')).padStart(6, '0')}`;
  return { link: (request) => store.link({ ...request, newUserSign: next() }) };
});

/** Refuse a patient to everybody but the user whose link to this patient was removed. */
const keepsPatients = (isKept: (user: unknown, seen: Ledger) => boolean) =>
  both(
    after(done(DISCONNECT), ({ cred, seen }) => {
      const patient = patientIdIn(seen.links.get(String(cred.user)));
      if (isKept(cred.user, seen)) seen.notes<unknown>('kept for').set(patient, cred.user);
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
    'disconnect-leaves-other-devices: remove_authentication leaves the sessions that authenticate opened on other devices',
    leavesSessions(
      (token, seen) =>
        seen.isAnnounced(token) && seen.sessions.filter((session) => session.token === token).length === 1,
    ),
    'disconnect-leaves-saved-sessions: remove_authentication leaves the sessions that the authorization server saved',
    leavesSessions((token, seen) => !seen.isAnnounced(token)),
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
  'signature-of-each-user': [
    'reply-cached-by-patient: The reply with a record is cached by its patient, user_sign included',
    cachesRecordBy(RECORDS, ({ result }) => patientIdIn(result)),
  ],
  'signature-of-each-link': [
    'signature-of-patient-for-all: The user_sign belongs to the patient: another user of the patient has it',
    signs(({ patientId }) => bytesToHex(hashToken(`secret of this server ${patientId}`))),
    'signature-counted: A user_sign is the one before, counted on',
    countedSigns,
    'signature-of-former-user-taken: A save over the user_sign of the former user of a patient is done',
    takesSignsOf((result, patientId) => patientIdIn(result) === patientId),
  ],
  'patients-let-go': [
    'removed-link-keeps-patient: A patient whose link was removed stays linked for everybody else',
    keepsPatients(() => true),
    { playing: SCENARIOS },
    'logout-keeps-patient: A patient stays linked after the removal if its user had logged out',
    keepsPatients((user, seen) => seen.done(LOG_OUT).some(({ cred }) => cred.user === user)),
    { playing: SCENARIOS },
  ],
});

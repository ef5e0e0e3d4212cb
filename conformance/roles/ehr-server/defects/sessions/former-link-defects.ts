/** Defects in which something of a former link is left: its record, its sessions, its signature. */
import { createHash } from 'node:crypto';
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import { type Answered, done } from '../../../../engine/defects/operators.ts';
import { no, yes } from '../../../../engine/defects/rpc-call.ts';
import type { EhrChange, EhrServerParts } from '../../self-test/serve.ts';
import {
  after,
  type EhrWhich,
  instead,
  patientIdIn,
  pendingOf,
  propertiesIn,
  sessionOfHash,
  withStore,
} from '../changes.ts';
import { defects } from '../defect.ts';
import { AUTHENTICATE, DISCONNECT, LOG_OUT, READ, RECORDS, SAVES } from '../methods.ts';
import { endsFurther, leavesSessions, takesSignsOf } from './session-changes.ts';

/** Answer a call that is right with what the first one of the same key was answered. */
const cachesRecordBy = (which: EhrWhich, keyOf: (turn: Answered<EhrServerParts>) => unknown) =>
  after(done(which), (turn) => yes(turn.seen.first('records', keyOf(turn), turn.result)));

/** Draw or compute the signature of a new link. */
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

export const formerLinkDefects = defects({
  'record-cached-by-user': {
    title: 'The record of a user stays in a cache when another patient is linked',
    change: cachesRecordBy(READ, ({ cred }) => cred.user),
    caughtBy: 'read-follows-new-link',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  'reply-cached-by-patient': {
    title: 'The reply with a record is cached by its patient, user_sign included',
    change: cachesRecordBy(RECORDS, ({ result }) => patientIdIn(result)),
    caughtBy: 'read-follows-new-link',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  'reply-cached-by-phone': {
    title: 'The reply of authenticate is cached by the phone',
    change: cachesRecordBy(AUTHENTICATE, (turn) => propertiesIn(turn).phone),
    caughtBy: 'read-follows-new-link',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  'disconnect-leaves-other-devices': {
    title: 'remove_authentication leaves the sessions that authenticate opened on other devices',
    change: leavesSessions(
      (token, seen) =>
        seen.isAnnounced(token) && seen.sessions.filter((session) => session.token === token).length === 1,
    ),
    caughtBy: 'link-ends-every-session',
    seenIn: ['getsentry/sentry#108250'],
  },
  'disconnect-leaves-saved-sessions': {
    title: 'remove_authentication leaves the sessions that the authorization server saved',
    change: leavesSessions((token, seen) => !seen.isAnnounced(token)),
    caughtBy: 'link-ends-every-session',
    seenIn: ['brendanlong/lion-reader#1560'],
  },
  'disconnect-leaves-read-sessions': {
    title: 'remove_authentication leaves the sessions that were read with, which are cached',
    change: leavesSessions((token, seen) => seen.done(READ).some(({ cred }) => cred.token === token)),
    caughtBy: 'link-ends-every-session',
    seenIn: ['Flowfin/jellyfin-plugin-sso#468'],
  },
  'disconnect-ends-everybody': {
    title: 'remove_authentication ends the sessions of all users',
    change: endsFurther(DISCONNECT, ({ seen }) => seen.sessions.map(({ token }) => token)),
    caughtBy: 'link-ends-every-session',
  },
  'disconnect-by-beginning': {
    title: 'remove_authentication ends the sessions of all users whose names begin alike',
    change: endsFurther(DISCONNECT, ({ cred, seen }) =>
      seen.sessions
        .filter(({ user }) => user !== cred.user && user.startsWith(String(cred.user)))
        .map(({ token }) => token),
    ),
    caughtBy: 'like-users-kept-apart',
  },
  'logout-ends-other-devices': {
    title: 'remove_auth_info ends the sessions that authenticate opened, too',
    change: endsFurther(LOG_OUT, ({ cred, seen }) =>
      seen.tokensOf(cred.user).filter((token) => seen.isAnnounced(token)),
    ),
    caughtBy: 'logout-ends-one-of-all',
    seenIn: ['opencloud-eu/docs#649'],
  },
  'sign-in-ends-first-device': {
    title: 'A sign-in on another device ends the session of the first',
    change: endsFurther(AUTHENTICATE, (turn) => {
      const pending = pendingOf(turn);
      return pending ? turn.seen.tokensOf(pending.user).filter((token) => token !== pending.token) : [];
    }),
    caughtBy: 'signature-kept-at-relogin',
  },
  'pending-counted-by-user': {
    title: 'The five exchange tokens of a session are counted by user',
    change: instead(AUTHENTICATE, (turn) => {
      const user = pendingOf(turn)?.user;
      const own = [...turn.seen.exchangeTokens]
        .filter(([, session]) => session.user === user)
        .map(([token]) => token);
      const isOld = own.length - own.indexOf(String(turn.params.exchangeToken)) > 5;
      return user !== undefined && isOld ? no('exchange_token_unknown') : undefined;
    }),
    caughtBy: 'exchange-tokens-counted-by-session',
  },
  'signature-of-patient-for-all': {
    title: 'The user_sign belongs to the patient: another user of the patient has it',
    change: signs(({ patientId }) => bytesToHex(hashToken(`secret of this server ${patientId}`))),
    caughtBy: 'signature-of-each-link',
  },
  'signature-from-user-and-patient': {
    title: 'The user_sign is a hash of the user and the patient',
    change: signs(({ user, patientId }) =>
      createHash('sha256').update(`${user}:${patientId}`).digest('base64url'),
    ),
    caughtBy: 'signature-of-each-link',
  },
  'signature-counted': {
    title: 'A user_sign is the one before, counted on',
    change: countedSigns,
    caughtBy: 'signature-of-each-link',
  },
  'signature-of-former-user-taken': {
    title: 'A save over the user_sign of the former user of a patient is done',
    change: takesSignsOf((result, patientId) => patientIdIn(result) === patientId),
    caughtBy: 'signature-of-each-link',
  },
  'save-id-is-token': {
    title: 'The id of a saved record is its token',
    change: after(done(SAVES), ({ params, authInfo }) => yes({ id: params.exchangeToken ?? authInfo.token })),
    caughtBy: 'saves-return-id',
  },
});

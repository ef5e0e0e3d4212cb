/** Defects in which something of a former link is left: its record, its sessions, its signature. */
import { createHash } from 'node:crypto';
import { bytesToHex } from '@noble/hashes/utils.js';
import { randomToken } from '#protocol/time/random.ts';
import { hashToken } from '#protocol/wire/secrets.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  isDone,
  LOG_OUT,
  membersOf,
  paramsOf,
  propertiesIn,
  READ,
  reasonOf,
  refusal,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  type WireCall,
  type WireReply,
} from '../messages/messages.ts';
import { withStore } from '../parts.ts';
import { type KnownSessions, remembering } from './known-sessions.ts';
import { endsFurther, tokenOf } from './session-changes.ts';

/** Answers a read that is right with what the first one of the same key was answered. */
const cachesRecordBy = (keyOf: (call: WireCall, reply: WireReply) => unknown): EhrChange =>
  answering(() => {
    const cache = new Map<unknown, unknown>();
    return async (call, { next }) => {
      const reply = await next();
      if (![READ, AUTHENTICATE].includes(call.method) || !isDone(reply)) return reply;
      const key = keyOf(call, reply);
      if (key === undefined) return reply;
      if (!cache.has(key)) cache.set(key, reply?.result);
      return accepted(call, cache.get(key));
    };
  });

const patientIn = (reply: WireReply) => membersOf(membersOf(reply?.result).patient).id;

/** Lets some sessions of a user outlive the disconnect. */
const leavesSessions = (
  isLeft: (token: string, known: KnownSessions, used: ReadonlySet<string>) => boolean,
): EhrChange =>
  answering(
    remembering((known) => {
      const left = new Map<string, unknown>();
      const read = new Set<string>();
      return async (call, { next }) => {
        const record = left.get(tokenOf(call));
        if (call.method === READ && record !== undefined) return accepted(call, record);
        const { user, token } = credOf(call);
        const own = known.results.get(String(user));
        const reply = await next();
        if (call.method === READ && isDone(reply)) read.add(tokenOf(call));
        if (call.method === DISCONNECT && isDone(reply) && own !== undefined)
          for (const each of known.of(user)) if (each !== token && isLeft(each, known, read)) left.set(each, own);
        return reply;
      };
    }),
  );

const isSavedByServer = (token: string, known: KnownSessions) =>
  known.pairs.filter((pair) => pair.token === token).length > 1 ||
  ![...known.pending.values()].some((pair) => pair.token === token);

/** Draws or computes the signature of a new link. */
const signs = (userSign: (request: { patientId: string; user: string }, number: number) => string): EhrChange =>
  withStore((store) => {
    const userOf = new Map<string, string>();
    let number = 0;
    return {
      async saveExchangeToken(token, now) {
        userOf.set(String(token.hash), token.session.user);
        return store.saveExchangeToken(token, now);
      },
      link(request) {
        const user = userOf.get(String(request.exchangeToken)) ?? '';
        return store.link({ ...request, newUserSign: userSign({ patientId: request.patientId, user }, ++number) });
      },
    };
  });

const countedSigns: EhrChange = withStore((store, { random }) => {
  const start = randomToken(random);
  let number = 0;
  return {
    link: (request) => store.link({ ...request, newUserSign: `${start}${String(++number).padStart(6, '0')}` }),
  };
});

const countsPendingByUser: EhrChange = answering(() => {
  const pending = new Map<unknown, string[]>();
  return (call, { next }) => {
    const token = String(paramsOf(call).exchangeToken);
    if (call.method === SAVE_EXCHANGE_TOKEN) {
      const { user } = authInfoOf(call);
      pending.set(user, [...(pending.get(user) ?? []), token]);
    }
    const isOver = [...pending.values()].some((own) => own.includes(token) && own.length - own.indexOf(token) > 5);
    return call.method === AUTHENTICATE && isOver ? refusal(call, 'exchange_token_unknown') : next();
  };
});

/** A sign-in on another device ends the sessions of the user. */
const oneDevice: EhrChange = endsFurther((call, known) => {
  const pending = call.method === AUTHENTICATE ? known.pending.get(String(paramsOf(call).exchangeToken)) : undefined;
  return pending ? known.of(pending.user).filter((token) => token !== pending.token) : [];
});

export const formerLinkDefects: readonly EhrDefect[] = [
  {
    id: 'record-cached-by-user',
    title: 'The record of a user stays in a cache when the user links another patient',
    change: cachesRecordBy((call) => (call.method === READ ? credOf(call).user : undefined)),
    caughtBy: 'read-follows-new-link',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  {
    id: 'reply-cached-by-patient',
    title: 'The reply with a record is cached by its patient, with the user_sign of who came first',
    change: cachesRecordBy((_call, reply) => patientIn(reply)),
    caughtBy: 'read-follows-new-link',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  {
    id: 'reply-cached-by-phone',
    title: 'The reply of authenticate is cached by the phone',
    change: cachesRecordBy((call) => (call.method === AUTHENTICATE ? propertiesIn(call).phone : undefined)),
    caughtBy: 'read-follows-new-link',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  {
    id: 'disconnect-leaves-other-devices',
    title: 'remove_authentication leaves the sessions that authenticate opened on other devices',
    change: leavesSessions((token, known) => !isSavedByServer(token, known)),
    caughtBy: 'link-ends-every-session',
    seenIn: ['getsentry/sentry#108250'],
  },
  {
    id: 'disconnect-leaves-saved-sessions',
    title: 'remove_authentication leaves the sessions that the authorization server saved',
    change: leavesSessions((token, known) => ![...known.pending.values()].some((pair) => pair.token === token)),
    caughtBy: 'link-ends-every-session',
    seenIn: ['brendanlong/lion-reader#1560'],
  },
  {
    id: 'disconnect-leaves-read-sessions',
    title: 'remove_authentication leaves the sessions that were read with, for they are cached',
    change: leavesSessions((token, _known, read) => read.has(token)),
    caughtBy: 'link-ends-every-session',
    seenIn: ['Flowfin/jellyfin-plugin-sso#468'],
  },
  {
    id: 'disconnect-ends-everybody',
    title: 'remove_authentication ends the sessions of all users',
    change: endsFurther((call, known) => (call.method === DISCONNECT ? known.pairs.map(({ token }) => token) : [])),
    caughtBy: 'link-ends-every-session',
  },
  {
    id: 'disconnect-by-beginning',
    title: 'remove_authentication ends the sessions of all users whose names begin as its own',
    change: endsFurther((call, known) => {
      const user = String(credOf(call).user);
      const isLike = (pair: { user: string }) => pair.user !== user && pair.user.startsWith(user);
      return call.method === DISCONNECT ? known.pairs.filter(isLike).map(({ token }) => token) : [];
    }),
    caughtBy: 'like-users-kept-apart',
  },
  {
    id: 'logout-ends-other-devices',
    title: 'remove_auth_info ends the sessions that authenticate opened, too',
    change: endsFurther((call, known) => {
      const opened = [...known.pending.values()].map(({ token }) => token);
      return call.method === LOG_OUT ? known.of(credOf(call).user).filter((token) => opened.includes(token)) : [];
    }),
    caughtBy: 'logout-ends-one-of-all',
    seenIn: ['opencloud-eu/docs#649'],
  },
  {
    id: 'sign-in-ends-first-device',
    title: 'A sign-in on another device ends the session of the first',
    change: oneDevice,
    caughtBy: 'signature-kept-at-relogin',
  },
  {
    id: 'pending-counted-by-user',
    title: 'The five exchange tokens of a session are counted over all sessions of the user',
    change: countsPendingByUser,
    caughtBy: 'exchange-tokens-counted-by-session',
  },
  {
    id: 'signature-of-patient-for-all',
    title: 'The user_sign belongs to the patient: another user of the patient has the same',
    change: signs(({ patientId }) => bytesToHex(hashToken(`secret of this server ${patientId}`))),
    caughtBy: 'signature-of-each-link',
  },
  {
    id: 'signature-from-user-and-patient',
    title: 'The user_sign is a hash of the user and the patient',
    change: signs(({ user, patientId }) => createHash('sha256').update(`${user}:${patientId}`).digest('base64url')),
    caughtBy: 'signature-of-each-link',
  },
  {
    id: 'signature-counted',
    title: 'A user_sign is the one before, counted on',
    change: countedSigns,
    caughtBy: 'signature-of-each-link',
  },
  {
    id: 'signature-of-former-user-taken',
    title: 'A save over the user_sign of the former user of a patient is carried out',
    change: answering(() => {
      const signsOf = new Map<string, Set<string>>();
      return async (call, { next, parts }) => {
        const { internalPassword: password, internalUser: user } = parts.rules;
        const link = call.method === SAVE ? await parts.store.findLink(String(authInfoOf(call).user)) : undefined;
        if (!link) return next();
        const known = signsOf.get(link.patientId) ?? new Set();
        signsOf.set(link.patientId, known.add(link.userSign));
        const isTaken = [...known].some((sign) => tokenOf(call) === sha1(password + sign));
        return next(isTaken ? { ...call, cred: { user, token: sha1(password + link.userSign) } } : call);
      };
    }),
    caughtBy: 'signature-of-each-link',
  },
  {
    id: 'save-id-is-token',
    title: 'The id of a saved record is its token',
    change: answering(() => async (call, { next }) => {
      const reply = await next();
      const { exchangeToken = authInfoOf(call).token } = paramsOf(call);
      const isSave = [SAVE, SAVE_EXCHANGE_TOKEN].includes(call.method) && reasonOf(reply) === undefined;
      return isSave ? accepted(call, { id: exchangeToken }) : reply;
    }),
    caughtBy: 'saves-return-id',
  },
];

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

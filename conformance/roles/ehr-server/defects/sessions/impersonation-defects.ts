/** Defects by which a caller becomes somebody else, or is told of somebody else. */
import { allPersonaPatients } from '#mis-fixtures/personas.ts';
import { digest } from '#protocol/wire/digest.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import { inRequests } from '../messages/http-messages.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  inReplies,
  inResults,
  isDone,
  LOG_OUT,
  type Members,
  membersOf,
  paramsOf,
  propertiesIn,
  READ,
  reasonOf,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
} from '../messages/messages.ts';
import { remembering } from './known-sessions.ts';

/** The user whom authenticate names beside its exchange token may read with the session that it opens. */
const linksNamed = (named: (call: Members) => unknown): EhrChange =>
  answering(
    remembering((known) => {
      const alsoOf = new Map<unknown, { user: unknown; owner: string }>();
      return async (call, { next }) => {
        const pending = known.pending.get(String(paramsOf(call as never).exchangeToken));
        const also = alsoOf.get(credOf(call).token);
        if (call.method === READ && also && also.user === credOf(call).user)
          return next({ ...call, cred: { user: also.owner, token: credOf(call).token } });
        const reply = await next();
        const user = named(call);
        if (call.method === AUTHENTICATE && isDone(reply) && pending && user !== undefined)
          alsoOf.set(pending.token, { user, owner: pending.user });
        return reply;
      };
    }),
  );

const linksPatientOfProperties: EhrChange = answering(() => async (call, { next, parts }) => {
  const reply = await next();
  const { patientId } = call.method === AUTHENTICATE ? propertiesIn(call) : {};
  const patient = typeof patientId === 'string' ? await parts.mis.get(patientId) : undefined;
  return patient && isDone(reply) ? accepted(call, { ...membersOf(reply?.result), patient }) : reply;
});

/** Looks up the signature by a user among the params. */
const signatureOfNamed: EhrChange = answering(() => async (call, { next, parts }) => {
  const named = call.method === SAVE ? await parts.store.findLink(String(paramsOf(call).user)) : undefined;
  const meant = await parts.store.findLink(String(authInfoOf(call).user));
  const { internalPassword: password, internalUser: user } = parts.rules;
  const isTaken = named && meant && credOf(call).token === digest(password, named.userSign);
  return next(isTaken ? { ...call, cred: { user, token: digest(password, meant.userSign) } } : call);
});

const removesNamed: EhrChange = answering(() => (call, { next }) => {
  const { user, token } = paramsOf(call);
  const isNamed = [LOG_OUT, DISCONNECT].includes(call.method) && typeof user === 'string' && typeof token === 'string';
  return next(isNamed ? { ...call, cred: { user, token } } : call);
});

/** A header chooses the user whose newest session reads. */
const READER_HEADER = 'x-user-id';
const readsForHeader: EhrChange = {
  ...answering(
    remembering((known) => (call, { next }) => {
      const { readerOfHeader, ...right } = call;
      const token = known.of(readerOfHeader).at(-1);
      return next(
        call.method === READ && token ? { ...right, method: READ, cred: { user: readerOfHeader, token } } : call,
      );
    }),
  ),
  ...inRequests(({ headers, body }) => {
    const user = headers[READER_HEADER];
    if (user === undefined) return {};
    return { body: Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), readerOfHeader: user })) };
  }),
};

const inErrorsOf = (reason: string, message: (holder: { user: string; token: string }) => string): EhrChange =>
  answering(
    remembering((known) => async (_call, { next }) => {
      const reply = await next();
      const [holder] = known.pairs;
      if (reasonOf(reply) !== reason || !holder) return reply;
      return { ...reply, error: { ...membersOf(reply?.error), message: message(holder) } };
    }),
  );

const toldOfOthers: readonly EhrDefect[] = [
  {
    id: 'holder-named-in-refusal',
    title: 'The refusal of a taken patient names the user who holds it',
    change: inErrorsOf('patient_already_linked', ({ user }) => `The patient is linked to ${user}.`),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['linked-patient-refused'],
  },
  {
    id: 'holder-named-for-token',
    title: 'The refusal of a taken session token names the user who holds it',
    change: inErrorsOf('token_already_stored', ({ user }) => `user=${user} has it`),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['token-unique-across-users'],
  },
  {
    id: 'sessions-in-record',
    title: 'The reply of get_patient lists the sessions that the server holds',
    change: answering(
      remembering((known) => async (call, { next }) => {
        const reply = await next();
        return call.method === READ && isDone(reply)
          ? accepted(call, { ...membersOf(reply?.result), sessions: known.pairs })
          : reply;
      }),
    ),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['token-unique-across-users'],
  },
  {
    id: 'all-patients-in-reply',
    title: 'The reply of get_patient holds all patients beside the own one',
    change: inResults([READ], (result) => ({ ...result, patients: allPersonaPatients })),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['save-opens-linked-user'],
  },
  {
    id: 'signature-announced',
    title: 'The reply of save_exchange_token holds the user_sign of the user',
    change: answering(() => async (call, { next, parts }) => {
      const reply = await next();
      const link = call.method === SAVE_EXCHANGE_TOKEN && (await parts.store.findLink(String(authInfoOf(call).user)));
      return link && isDone(reply) ? accepted(call, { ...membersOf(reply?.result), user_sign: link.userSign }) : reply;
    }),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['signature-kept-at-relogin'],
  },
  {
    id: 'password-in-reply',
    title: 'A refused internal call is answered with the password that was expected',
    change: inReplies((reply, call, { parts }) =>
      call.method === SAVE && reasonOf(reply) === 'not_authorized'
        ? { ...reply, error: { ...membersOf(reply.error), debug: { expected: parts.rules.internalPassword } } }
        : reply,
    ),
    caughtBy: 'replies-tell-nothing-of-others',
    playing: ['save-needs-cred'],
  },
];

export const impersonationDefects: readonly EhrDefect[] = [
  ...toldOfOthers,
  {
    id: 'user-of-params-linked',
    title: 'authenticate opens the session for a user among its params, too',
    change: linksNamed((call) => paramsOf(call as never).user),
    caughtBy: 'nobody-linked-by-params',
  },
  {
    id: 'internal-user-id-linked',
    title: 'authenticate opens the session for an internal user id among the properties, too',
    change: linksNamed((call) => propertiesIn(call as never).internalUserId),
    caughtBy: 'nobody-linked-by-params',
  },
  {
    id: 'patient-of-properties-linked',
    title: 'authenticate takes the id of a patient among the properties',
    change: linksPatientOfProperties,
    caughtBy: 'nobody-linked-by-params',
  },
  {
    id: 'signature-of-named-user',
    title: 'save_auth_info looks the user_sign up by a user beside its authInfo',
    change: signatureOfNamed,
    caughtBy: 'nobody-saved-by-params',
  },
  {
    id: 'removal-of-named-session',
    title: 'A removal ends the session that its params name',
    change: removesNamed,
    caughtBy: 'nobody-removed-by-params',
    seenIn: ['cobbler/cobbler#1916 (CVE-2018-1000226)'],
  },
  {
    id: 'user-chosen-by-header',
    title: 'get_patient reads for the user whom a header names',
    change: readsForHeader,
    caughtBy: 'ids-choose-nobody',
    seenIn: ['openemr/openemr#11853'],
  },
];

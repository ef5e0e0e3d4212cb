/** Defects of what replies hold: record, signature, ids, and what is taken as an authInfo. */
import type { EhrDefect } from './defect.ts';
import { inResponses } from './http-messages.ts';
import { remembering } from './known-sessions.ts';
import {
  AUTHENTICATE,
  accepted,
  answering,
  authInfoOf,
  credOf,
  DISCONNECT,
  inCalls,
  inRecords,
  inResults,
  isDone,
  LOG_OUT,
  type Members,
  paramsOf,
  READ,
  reasonOf,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  success,
  type WireCall,
  type WireReply,
  withAuthInfo,
} from './messages.ts';

const SAVES = [SAVE, SAVE_EXCHANGE_TOKEN];

/** A signature of few bits for each link. */
const shortSign = (sign: unknown) => String(sign).slice(0, 16);

/** Repairs a wrong ttl, as a lenient reader does. */
const repairsTtl = (repair: (ttl: unknown) => unknown) =>
  inCalls((call) => (SAVES.includes(call.method) ? withAuthInfo(call, { ttl: repair(authInfoOf(call).ttl) }) : call));

/** Honours an id among the params of get_patient. */
const chosenBy = (choose: (params: Members) => unknown) =>
  answering(() => async (call, { next, parts }) => {
    const reply = await next();
    const asked = choose(paramsOf(call));
    const record = call.method === READ && typeof asked === 'string' ? await parts.mis.get(asked) : undefined;
    return record && isDone(reply) ? accepted(call, { ...(reply?.result as Members), patient: record }) : reply;
  });

/** Answers a call by what was answered to another with the same key a moment ago. */
const sharesReplies = (keyOf: (call: WireCall) => string) =>
  answering(() => {
    const cache = new Map<string, WireReply>();
    return async (call, { next }) => {
      if (call.method !== READ) return next();
      const key = keyOf(call);
      const known = cache.get(key);
      if (known) return { ...known, id: String(call.id) };
      const reply = await next();
      if (isDone(reply)) cache.set(key, reply);
      return reply;
    };
  });

/** Requests under way by their id: each is answered with the newest reply of its id. */
const mixedUpById = answering(() => {
  const replies = new Map<unknown, WireReply>();
  return async (call, { next, parts }) => {
    const reply = await next();
    if (call.method !== READ) return reply;
    replies.set(call.id, reply);
    await new Promise<void>((resolve) => parts.clock.after(2, resolve));
    return replies.get(call.id) ?? reply;
  };
});

const rowNumbers = answering(() => {
  let rows = 0;
  return async (call, { next }) => {
    const reply = await next();
    if (!isDone(reply)) return reply;
    if (call.method === DISCONNECT) rows = 0;
    return SAVES.includes(call.method) ? { ...reply, result: { id: String(++rows) } } : reply;
  };
});

/** Links are rows whose numbers come again: a session of a removed link reads what took its row. */
const rowsUsedAgain = answering(
  remembering((known) => {
    const removed = new Map<unknown, unknown>();
    return async (call, { next }) => {
      const { user, token } = credOf(call);
      const heir = removed.has(token) ? [...known.results.values()].at(-1) : undefined;
      const reply = await next();
      if (call.method === DISCONNECT && isDone(reply)) removed.set(token, user);
      return call.method === READ && reasonOf(reply) === 'not_authorized' && heir ? accepted(call, heir) : reply;
    };
  }),
);

export const recordDefects: readonly EhrDefect[] = [
  {
    id: 'record-without-phones',
    title: 'The record lacks a published member',
    change: inRecords(({ phones: _phones, ...record }) => record),
    caughtBy: 'members-of-record',
  },
  {
    id: 'record-without-nulls',
    title: 'The record leaves out the members of which nothing is known',
    change: inRecords((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))),
    caughtBy: 'members-of-record',
  },
  {
    id: 'birthdate-of-its-own-form',
    title: 'The birthdate of the record is written day first',
    change: inRecords((record) => ({ ...record, birthdate: '12.04.1985' })),
    caughtBy: 'types-of-record',
  },
  {
    id: 'insurances-as-text',
    title: 'The insurances of the record are a text',
    change: inRecords((record) => ({ ...record, insurances: 'none' })),
    caughtBy: 'types-of-record',
  },
  {
    id: 'signature-under-one-name',
    title: 'The signature is sent as user_sign alone',
    change: inResults([READ, AUTHENTICATE], ({ userSign: _sign, ...result }) => result),
    caughtBy: 'same-reply-of-both',
  },
  {
    id: 'authenticate-without-record',
    title: 'authenticate results in the signature alone',
    change: inResults([AUTHENTICATE], ({ patient: _patient, ...result }) => result),
    caughtBy: 'same-reply-of-both',
  },
  {
    id: 'signature-of-96-bits',
    title: 'The user_sign has 96 bits',
    change: inResults([READ, AUTHENTICATE], ({ user_sign, userSign, ...result }) => ({
      ...result,
      user_sign: shortSign(user_sign),
      userSign: shortSign(userSign),
    })),
    caughtBy: 'signature-random',
  },
  {
    id: 'signature-of-all',
    title: 'All links have one user_sign',
    change: inResults([READ, AUTHENTICATE], (result) => ({
      ...result,
      user_sign: 'A'.repeat(43),
      userSign: 'A'.repeat(43),
    })),
    caughtBy: 'signature-random',
  },
  {
    id: 'saves-without-id',
    title: 'The saves result in an empty object',
    change: inResults(SAVES, () => ({})),
    caughtBy: 'saves-return-id',
  },
  {
    id: 'saves-with-number',
    title: 'The saves result in an id that is a number',
    change: inResults(SAVES, () => ({ id: 7 })),
    caughtBy: 'saves-return-id',
  },
  {
    id: 'removals-say-ok',
    title: 'The removals result in a member of their own',
    change: inResults([LOG_OUT, DISCONNECT], () => ({ ok: true })),
    caughtBy: 'removals-return-nothing',
  },
  {
    id: 'ttl-as-text',
    title: 'A ttl that is a text is read as a number',
    change: repairsTtl((ttl) => (typeof ttl === 'string' ? Number(ttl) : ttl)),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-of-nothing',
    title: 'A ttl that is missing is that of a day',
    change: repairsTtl((ttl) => ttl ?? 1_440),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-without-bound',
    title: 'A ttl has no upper bound',
    change: { parts: ({ rules }) => ({ rules: { ...rules, maxTtl: Number.MAX_SAFE_INTEGER } }) },
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'ttl-below-one',
    title: 'A ttl of nought, below it or of a fraction is taken as one',
    change: repairsTtl((ttl) => (typeof ttl === 'number' && (ttl < 1 || ttl % 1 !== 0) ? 1 : ttl)),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'user-as-number',
    title: 'A save for a user of another type is acknowledged',
    change: answering(() => async (call, tools) => {
      const isWaved = SAVES.includes(call.method) && typeof authInfoOf(call).user === 'number';
      return isWaved ? success(call, tools.parts) : tools.next();
    }),
    caughtBy: 'auth-info-checked',
  },
  {
    id: 'patient-chosen-by-id',
    title: 'get_patient honours an id among its params',
    change: chosenBy(({ patientId, id }) => patientId ?? id),
    caughtBy: 'ids-choose-nobody',
    seenIn: ['gopaljilab/Clinical-Insight-Engine#440', 'openemr/openemr#11853'],
  },
  {
    id: 'user-chosen-by-params',
    title: 'get_patient honours a user among its params',
    change: answering(() => async (call, { next, parts }) => {
      const link = call.method === READ ? await parts.store.findLink(String(paramsOf(call).user)) : undefined;
      const reply = await next();
      if (!link || !isDone(reply)) return reply;
      return accepted(call, { ...(reply?.result as Members), patient: await parts.mis.get(link.patientId) });
    }),
    caughtBy: 'ids-choose-nobody',
    seenIn: ['openemr/openemr#11853'],
  },
  {
    id: 'requests-kept-by-id',
    title: 'Requests under way are kept by their JSON-RPC id alone',
    change: mixedUpById,
    caughtBy: 'own-patient-at-once',
    seenIn: ['modelcontextprotocol/swift-sdk#265'],
  },
  {
    id: 'records-cached-for-all',
    title: 'Records are cached under a key that all users share',
    change: sharesReplies(({ method }) => method),
    caughtBy: 'own-patient-at-once',
    seenIn: ['LinuxForHealth/FHIR#1069'],
  },
  {
    id: 'row-numbers-again',
    title: 'The ids of saved records begin again when a link was removed',
    change: rowNumbers,
    caughtBy: 'ids-of-saves-differ',
    seenIn: ['yesodweb/persistent#1598', 'nocodb/nocodb#12326'],
  },
  {
    id: 'link-inherits-sessions',
    title: 'A new link takes the row of a removed one, with the sessions that hang on it',
    change: rowsUsedAgain,
    caughtBy: 'former-session-reads-nothing',
    seenIn: ['yesodweb/persistent#1598'],
  },
  {
    id: 'reply-may-be-cached',
    title: 'Replies with a record may be kept by any cache',
    change: inResponses(({ headers }) => ({ headers: { ...headers, 'cache-control': 'max-age=60' } })),
    caughtBy: 'record-not-cached',
    seenIn: ['dgtlmoon/changedetection.io#4319'],
  },
];

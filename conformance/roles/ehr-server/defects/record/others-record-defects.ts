/** Defects that show a user the record of another: by an id, a cache, or a number that came again. */
import type { EhrDefect } from '../defect.ts';
import { inResponses } from '../messages/http-messages.ts';
import {
  accepted,
  answering,
  credOf,
  DISCONNECT,
  isDone,
  type Members,
  paramsOf,
  READ,
  reasonOf,
  SAVE,
  SAVE_EXCHANGE_TOKEN,
  type WireCall,
  type WireReply,
} from '../messages/messages.ts';
import { remembering } from '../sessions/known-sessions.ts';

const SAVES = [SAVE, SAVE_EXCHANGE_TOKEN];

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

export const othersRecordDefects: readonly EhrDefect[] = [
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

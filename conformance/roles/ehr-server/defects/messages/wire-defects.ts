/** Defects of replies: their id, batches, shape, silence. */
import { isObject } from '#protocol/wire/envelope.ts';
import type { EhrChange } from '../../self-test/serve.ts';
import type { EhrDefect } from '../defect.ts';
import { withRules } from '../parts.ts';
import { inResponses } from './http-messages.ts';
import { answering, inReplies, LOG_OUT, type Members, membersOf } from './messages.ts';

/** Changes the replies to batches. */
const inBatches = (change: (replies: unknown[]) => unknown): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body, ...rest } = await pipeline(text, channel);
    if (!body?.startsWith('[')) return { body, ...rest };
    return { body: JSON.stringify(change(JSON.parse(body))) };
  },
});

/** Carries batches out call by call, with something changed. */
const batchesBy = (answer: (calls: unknown[]) => unknown[] | undefined): EhrChange => ({
  pipeline: (pipeline) => (text, channel) => {
    const calls = text.startsWith('[') ? (JSON.parse(text) as unknown[]) : undefined;
    const changed = calls && answer(calls);
    return pipeline(changed ? JSON.stringify(changed) : text, channel);
  },
});

/** Changes the error of refused calls. */
const inErrors = (change: (error: Members) => unknown): EhrChange =>
  inReplies((reply) => (isObject(reply.error) ? { ...reply, error: change(reply.error) } : reply));

/** Changes the replies to all bodies that are objects. */
const changesReplies = (change: (reply: Members) => Members): EhrChange => ({
  pipeline: (pipeline) => async (text, channel) => {
    const { body, ...rest } = await pipeline(text, channel);
    return { ...rest, body: body?.startsWith('{') ? JSON.stringify(change(JSON.parse(body))) : body };
  },
});

/** The batch of 101 with which the kit asks whether the limit is kept, served in parts. */
const servesLongBatches: EhrChange = {
  pipeline: (pipeline) => async (text, channel) => {
    const calls = text.startsWith('[') ? (JSON.parse(text) as unknown[]) : [];
    if (calls.length <= 100) return pipeline(text, channel);
    const first = await pipeline(JSON.stringify(calls.slice(0, 100)), channel);
    const second = await pipeline(JSON.stringify(calls.slice(100)), channel);
    return { body: `${first.body?.slice(0, -1)},${second.body?.slice(1)}` };
  },
};

const LEAKS = 'at store.find (/srv/node_modules/pg/lib/client.js:12:3)';

type Row = readonly [
  id: string,
  title: string,
  change: EhrChange,
  caughtBy: string,
  playing: readonly string[],
  ...seenIn: string[],
];

const WALK = ['exchange-token-used-once'];

const ROWS: readonly Row[] = [
  [
    'errors-without-id',
    'An error comes back without the id of its call',
    changesReplies((reply) => ('error' in reply ? { ...reply, id: null } : reply)),
    'id-returned',
    [],
  ],
  [
    'ids-counted-anew',
    'Replies have ids of the server',
    changesReplies((reply) => ({ ...reply, id: '1' })),
    'id-returned',
    [],
  ],
  [
    'id-as-number',
    'A number comes back as a number where the file says text',
    withRules({ replyId: 'echo' }),
    'id-as-text',
    [],
  ],
  [
    'notification-answered',
    'A request without an id is answered by a reply',
    answering(
      () =>
        async (call, { next }) =>
          (await next()) ?? (call.id === undefined ? { jsonrpc: '2.0', result: {}, id: null } : null),
    ),
    'notification-carried-out',
    [],
  ],
  [
    'notification-dropped',
    'A request without an id is acknowledged, and not carried out',
    answering(
      () =>
        (call, { next }) =>
          call.method === LOG_OUT && call.id === undefined ? null : next(),
    ),
    'notification-carried-out',
    [],
  ],
  [
    'batch-backwards',
    'The replies of a batch come in another order',
    inBatches((replies) => replies.toReversed()),
    'batch-in-order',
    [],
  ],
  [
    'batch-loses-cred',
    'The calls of a batch lose what the single call reads from its request',
    batchesBy((calls) => calls.map((call) => ({ ...membersOf(call), cred: undefined }))),
    'batch-in-order',
    [],
    'cenobites/flask-jsonrpc#138',
  ],
  [
    'batch-first-alone',
    'Of a batch only the first call is answered',
    inBatches(([first]) => first),
    'batch-in-order',
    [],
  ],
  ['batch-without-limit', 'A batch of any length is carried out', servesLongBatches, 'batch-limited', []],
  [
    'batch-of-fifty',
    'A batch of more than fifty calls is refused',
    batchesBy((calls) => (calls.length > 50 ? [] : undefined)),
    'batch-of-100-served',
    [],
  ],
  [
    'errors-as-status',
    'Errors of a call are answered with HTTP 400',
    inResponses(({ status, body }) => ({ status: body.includes('"error":{"code"') ? 400 : status })),
    'outcomes-are-http-200',
    WALK,
  ],
  [
    'without-jsonrpc',
    'Replies lack jsonrpc',
    changesReplies(({ jsonrpc: _version, ...reply }) => reply),
    'result-or-error',
    WALK,
  ],
  [
    'result-beside-error',
    'An error has a result of null beside it',
    changesReplies((reply) => ('error' in reply ? { ...reply, result: null } : reply)),
    'result-or-error',
    WALK,
  ],
  [
    'codes-as-text',
    'The code of an error is a text',
    inErrors((error) => ({ ...error, code: String(error.code) })),
    'shape-of-errors',
    WALK,
  ],
  [
    'errors-without-message',
    'An error has no message',
    inErrors(({ message: _message, ...error }) => error),
    'shape-of-errors',
    WALK,
  ],
  [
    'errors-without-reason',
    'An error has no data',
    inErrors(({ data: _data, ...error }) => error),
    'errors-name-reason',
    WALK,
  ],
  [
    'errors-as-one-text',
    'data.errors is one text',
    inErrors((error) => ({ ...error, data: { ...membersOf(error.data), errors: 'no' } })),
    'errors-are-sentences',
    WALK,
  ],
  [
    'token-in-error',
    'An error repeats the token of the cred',
    inReplies((reply, { cred }) =>
      isObject(reply.error)
        ? { ...reply, error: { ...reply.error, message: `No session ${membersOf(cred).token}` } }
        : reply,
    ),
    'errors-tell-no-secrets',
    ['no-session-no-data'],
    'open-mercato/open-mercato#2933',
  ],
  [
    'property-in-error',
    'An error repeats the properties of the patient',
    inReplies((reply, call) =>
      isObject(reply.error) ? { ...reply, error: { ...reply.error, message: JSON.stringify(call.params) } } : reply,
    ),
    'errors-tell-no-secrets',
    ['every-property-counts'],
    'terminusdb/terminusdb#1631',
  ],
  [
    'stack-in-error',
    'An error shows where in the code it arose',
    inErrors((error) => ({ ...error, message: LEAKS })),
    'errors-tell-no-secrets',
    WALK,
    'open-mercato/open-mercato#2933',
    'terminusdb/terminusdb#1631',
  ],
];

export const wireDefects: readonly EhrDefect[] = [
  ...ROWS.map(([id, title, change, caughtBy, playing, ...seenIn]) => ({
    id,
    title,
    change,
    caughtBy,
    ...(playing.length > 0 && { playing }),
    ...(seenIn.length > 0 && { seenIn }),
  })),
  {
    id: 'id-as-text-where-echoed',
    title: 'A number comes back as a text where the file says that ids come back as they were sent',
    change: {},
    settings: { replyId: 'echo' },
    caughtBy: 'id-as-sent',
  },
];

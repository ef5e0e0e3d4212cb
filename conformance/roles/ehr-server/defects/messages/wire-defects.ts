/** Defects of replies: their id, shape, silence, and what errors tell. */
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { membersOf } from '../../../../engine/defects/rpc-call.ts';
import { after, around, type EhrWhich, inError, instead, withRules } from '../changes.ts';
import { defects } from '../defect.ts';
import { LOG_OUT } from '../methods.ts';
import { inErrors, inReplies } from './bodies.ts';
import { inResponses } from './http-messages.ts';

const LEAKS = 'at store.find (/srv/node_modules/pg/lib/client.js:12:3)';
const WALK = ['exchange-token-used-once'];
const NOTIFICATIONS: EhrWhich = ({ call }) => call.id === undefined;

export const wireDefects = defects({
  'errors-without-id': {
    title: 'An error comes back without the id of its call',
    change: inReplies((reply) => ('error' in reply ? { ...reply, id: null } : reply)),
    caughtBy: 'id-returned',
  },
  'ids-counted-anew': {
    title: 'Replies have ids of the server',
    change: inReplies((reply) => ({ ...reply, id: '1' })),
    caughtBy: 'id-returned',
  },
  'id-as-number': {
    title: 'A number comes back as a number where the file says text',
    change: withRules({ replyId: 'echo' }),
    caughtBy: 'id-as-text',
  },
  'id-as-text-where-echoed': {
    title: 'A number comes back as a text where the file says echo',
    change: {},
    settings: { replyId: 'echo' },
    caughtBy: 'id-as-sent',
  },
  'notification-answered': {
    title: 'A request without an id is answered by a reply',
    change: around(NOTIFICATIONS, async ({ next }) => (await next()) ?? { result: {} }),
    caughtBy: 'notification-carried-out',
  },
  'notification-dropped': {
    title: 'A request without an id is acknowledged, and not carried out',
    change: instead(LOG_OUT, ({ call }) => (call.id === undefined ? null : undefined)),
    caughtBy: 'notification-carried-out',
  },
  'refused-notification-answered': {
    title: 'A notification that is refused is answered with its error',
    change: around(NOTIFICATIONS, async ({ call, next }) => {
      const reply = await next({ ...call, id: 'none' });
      return reply && 'error' in reply ? { ...reply, id: null } : null;
    }),
    caughtBy: 'notification-carried-out',
  },
  'errors-as-status': {
    title: 'Errors of a call are answered with HTTP 400',
    change: inResponses(({ status, body }) => ({ status: body.includes('"error":{"code"') ? 400 : status })),
    caughtBy: 'outcomes-are-http-200',
    playing: WALK,
  },
  'without-jsonrpc': {
    title: 'Replies lack jsonrpc',
    change: inReplies(({ jsonrpc: _version, ...reply }) => reply),
    caughtBy: 'result-or-error',
    playing: WALK,
  },
  'result-beside-error': {
    title: 'An error has a result of null beside it',
    change: inReplies((reply) => ('error' in reply ? { ...reply, result: null } : reply)),
    caughtBy: 'result-or-error',
    playing: WALK,
  },
  'codes-as-text': {
    title: 'The code of an error is a text',
    change: inErrors((error) => ({ ...error, code: String(error.code) })),
    caughtBy: 'shape-of-errors',
    playing: WALK,
  },
  'errors-without-message': {
    title: 'An error has no message',
    change: inErrors(({ message: _message, ...error }) => error),
    caughtBy: 'shape-of-errors',
    playing: WALK,
  },
  'errors-without-reason': {
    title: 'An error has no data',
    change: inErrors(({ data: _data, ...error }) => error),
    caughtBy: 'errors-name-reason',
    playing: WALK,
  },
  'errors-as-one-text': {
    title: 'data.errors is one text',
    change: inErrors((error) => ({ ...error, data: { ...membersOf(error.data), errors: 'no' } })),
    caughtBy: 'errors-are-sentences',
    playing: WALK,
  },
  'token-in-error': {
    title: 'An error repeats the token of the cred',
    change: after(refused(ANY), ({ reply, cred }) => inError(reply, { message: `No session ${cred.token}` })),
    caughtBy: 'errors-tell-no-secrets',
    playing: ['no-session-no-data'],
    seenIn: ['open-mercato/open-mercato#2933'],
  },
  'property-in-error': {
    title: 'An error repeats the properties of the patient',
    change: after(refused(ANY), ({ reply, params }) => inError(reply, { message: JSON.stringify(params) })),
    caughtBy: 'errors-tell-no-secrets',
    playing: ['every-property-counts'],
    seenIn: ['terminusdb/terminusdb#1631'],
  },
  'stack-in-error': {
    title: 'An error shows where in the code it arose',
    change: inErrors((error) => ({ ...error, message: LEAKS })),
    caughtBy: 'errors-tell-no-secrets',
    playing: WALK,
    seenIn: ['open-mercato/open-mercato#2933', 'terminusdb/terminusdb#1631'],
  },
  'own-patient-named': {
    title: 'The refusal of a second patient names the first',
    change: after(refused(ANY, 'patient_already_matched'), ({ reply }) =>
      inError(reply, { message: 'Linked to Petrova, Sidorov, Алёшин or Shields.' }),
    ),
    caughtBy: 'errors-tell-no-secrets',
    playing: ['other-patient-refused'],
  },
});

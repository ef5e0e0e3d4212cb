/**
 * Defects of an EHR server in its replies: their id, their members, whether a notification gets one, and what
 * errors tell. A key is the check that must find the defects below it. A text `id: title` begins a defect;
 * its change of the right server follows, then `owner/repo#number` of public systems that had the defect.
 * `playing` names the scenarios to play for a check that judges the messages of all scenarios.
 */
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { membersOf, no, replyIdOf } from '../../../../engine/defects/rpc-call.ts';
import { after, aMoment, around, type EhrWhich, inError, instead, withRules } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { LOG_OUT, SAVE } from '../methods.ts';
import { inErrors, inReplies } from './bodies.ts';
import { inResponses } from './http-messages.ts';

/** A line of a stack trace, which must not leave a server. */
const LEAKS = 'at store.find (/srv/node_modules/pg/lib/client.js:12:3)';
/** A scenario with a success and a refusal, which is enough to see a fault of every reply. */
const WALK = ['exchange-token-used-once'];
/** Calls without an id, which want no reply. */
const NOTIFICATIONS: EhrWhich = ({ call }) => call.id === undefined;

const MAX_31_BITS = 2 ** 31 - 1;

export const wireDefects = foundBy({
  'id-returned': [
    'errors-without-id: An error comes back without the id of its call',
    inReplies((reply) => ('error' in reply ? { ...reply, id: null } : reply)),
    'ids-counted-anew: Replies have ids of the server',
    inReplies((reply) => ({ ...reply, id: '1' })),
    'zero-as-no-id: An id of 0 is taken for none, and the call is refused',
    instead(
      ({ call }) => call.id === 0,
      () => no('invalid_request'),
    ),
    'zero-refused-in-saves: A save with an id of 0 is refused',
    instead(
      ({ call }) => call.method === SAVE && call.id === 0,
      () => no('invalid_request'),
    ),
    'ids-in-31-bits: An id beyond 31 bits comes back as another number',
    after(ANY, ({ call: { id }, reply }) => (Number(id) > MAX_31_BITS ? { ...reply, id: '-1' } : undefined)),
    'negative-ids-refused: A call with an id below 0 is refused',
    instead(
      ({ call }) => Number(call.id) < 0,
      () => no('invalid_request'),
    ),
  ],
  'id-returned-at-once': [
    'ids-of-last-call: A reply carries the id of the call that came last',
    around(ANY, async ({ call, parts, seen, next }) => {
      const ids = seen.notes<string | null>('ids');
      ids.set('last', replyIdOf(call));
      await aMoment(parts);
      const reply = await next();
      return reply && { ...reply, id: ids.get('last') };
    }),
  ],
  'replies-carry-own-id': [
    'ids-of-call-before: An error carries the id of the call before it',
    around(ANY, async ({ call, seen, next }) => {
      const ids = seen.notes<string | null>('ids');
      const before = ids.get('last') ?? replyIdOf(call);
      ids.set('last', replyIdOf(call));
      const reply = await next();
      return reply && 'error' in reply ? { ...reply, id: before } : reply;
    }),
    { playing: WALK },
  ],
  'id-as-text': [
    'id-as-number: A number comes back as a number where the file says text',
    withRules({ replyId: 'echo' }),
  ],
  'id-as-sent': [
    'id-as-text-where-echoed: A number comes back as a text where the file says echo',
    { settings: { replyId: 'echo' } },
  ],
  'notification-carried-out': [
    'notification-answered: A request without an id is answered by a reply',
    around(NOTIFICATIONS, async ({ next }) => (await next()) ?? { result: {} }),
    'notification-dropped: A request without an id is acknowledged, and not carried out',
    instead(LOG_OUT, ({ call }) => (call.id === undefined ? null : undefined)),
    'refused-notification-answered: A notification that is refused is answered with its error',
    around(NOTIFICATIONS, async ({ call, next }) => {
      const reply = await next({ ...call, id: 'none' });
      return reply && 'error' in reply ? { ...reply, id: null } : null;
    }),
  ],
  'outcomes-are-http-200': [
    'errors-as-status: Errors of a call are answered with HTTP 400',
    inResponses(({ status, body }) => ({ status: body.includes('"error":{"code"') ? 400 : status })),
    { playing: WALK },
  ],
  'result-or-error': [
    'without-jsonrpc: Replies lack jsonrpc',
    inReplies(({ jsonrpc: _version, ...reply }) => reply),
    { playing: WALK },
    'result-beside-error: An error has a result of null beside it',
    inReplies((reply) => ('error' in reply ? { ...reply, result: null } : reply)),
    { playing: WALK },
  ],
  'shape-of-errors': [
    'codes-as-text: The code of an error is a text',
    inErrors((error) => ({ ...error, code: String(error.code) })),
    { playing: WALK },
    'errors-without-message: An error has no message',
    inErrors(({ message: _message, ...error }) => error),
    { playing: WALK },
  ],
  'errors-name-reason': [
    'errors-without-reason: An error has no data',
    inErrors(({ data: _data, ...error }) => error),
    { playing: WALK },
  ],
  'errors-are-sentences': [
    'errors-as-one-text: data.errors is one text',
    inErrors((error) => ({ ...error, data: { ...membersOf(error.data), errors: 'no' } })),
    { playing: WALK },
  ],
  'errors-tell-no-secrets': [
    'token-in-error: An error repeats the token of the cred',
    after(refused(ANY), ({ reply, cred }) => inError(reply, { message: `No session ${cred.token}` })),
    { playing: ['no-session-no-data'] },
    'open-mercato/open-mercato#2933',
    'property-in-error: An error repeats the properties of the patient',
    after(refused(ANY), ({ reply, params }) => inError(reply, { message: JSON.stringify(params) })),
    { playing: ['every-property-counts'] },
    'terminusdb/terminusdb#1631',
    'stack-in-error: An error shows where in the code it arose',
    inErrors((error) => ({ ...error, message: LEAKS })),
    { playing: WALK },
    'open-mercato/open-mercato#2933',
    'terminusdb/terminusdb#1631',
    'own-patient-named: The refusal of a second patient names the first',
    after(refused(ANY, 'patient_already_matched'), ({ reply }) =>
      inError(reply, { message: 'Linked to Petrova, Sidorov, Алёшин or Shields.' }),
    ),
    { playing: ['other-patient-refused'] },
  ],
});

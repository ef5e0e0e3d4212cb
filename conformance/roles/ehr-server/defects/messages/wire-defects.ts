/**
 * Defects of an EHR server in its replies: their id, their members, whether a notification gets one, and what
 * errors tell. A key is the check that must find the defects below it. A text `id: title` begins a defect;
 * its change of the right server follows. `playing` names the scenarios to play for a check that judges the
 * messages of all scenarios.
 */
import { ANY, refused } from '../../../../engine/defects/operators.ts';
import { replyIdOf } from '../../../../engine/defects/rpc-call.ts';
import { after, aMoment, around, before, inError } from '../changes.ts';
import { foundBy } from '../defect.ts';
import { RECORDS } from '../methods.ts';
import { inErrors, inReplies } from './bodies.ts';
import { inResponses } from './http-messages.ts';

/** A scenario with a success and a refusal, which is enough to see a fault of every reply. */
const WALK = ['exchange-token-used-once'];

export const wireDefects = foundBy({
  'id-returned': [
    'errors-without-id: An error comes back without the id of its call',
    inReplies((reply) => ('error' in reply ? { ...reply, id: null } : reply)),
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
  'outcomes-are-http-200': [
    'errors-as-status: Errors of a call are answered with HTTP 400',
    inResponses(({ status, body }) => ({ status: body.includes('"error":{"code"') ? 400 : status })),
    { playing: WALK },
  ],
  'result-or-error': [
    'without-jsonrpc: Replies lack jsonrpc',
    inReplies(({ jsonrpc: _version, ...reply }) => reply),
    { playing: WALK },
  ],
  'shape-of-errors': [
    'codes-as-text: The code of an error is a text',
    inErrors((error) => ({ ...error, code: String(error.code) })),
    { playing: WALK },
  ],
  'errors-tell-no-secrets': [
    'token-in-error: An error repeats the token of the cred',
    after(refused(ANY), ({ reply, cred }) => inError(reply, { message: `No session ${cred.token}` })),
    { playing: ['no-session-no-data'] },
  ],
  'no-secrets-in-output': [
    'calls-logged: It logs each call as it comes',
    before(ANY, ({ call, parts }) => {
      parts.print(JSON.stringify(call));
      return undefined;
    }),
    'replies-logged-in-base64: It logs the reply with the record in base64',
    after(RECORDS, ({ reply, parts }) => {
      parts.print(Buffer.from(JSON.stringify(reply), 'utf8').toString('base64'));
      return undefined;
    }),
  ],
});

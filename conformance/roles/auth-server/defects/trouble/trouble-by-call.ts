/** Defects in how a server handles an EHR server in trouble, for each of its two calls. */

import { doneReply, onFailure } from '../calls/outgoing.ts';
import type { Defect } from '../defect.ts';
import {
  both,
  brokenAfter,
  brokenAfterBreaks,
  brokenAfterReply,
  isOfAnother,
  isPage,
  refusedWith,
  replacing,
  takesAny200AsDone,
  takesAnyIdAsDone,
  takesHalfAReplyAsDone,
  takesHttp500AsDone,
  watching,
} from './troubled.ts';

export const troubleByCallDefects: readonly Defect[] = [
  ...both(
    replacing,
    'swallows-every-error',
    'Whatever breaks on the connection is answered with success',
    ['exchange-told-reset', 'save-told-down'],
    onFailure(doneReply),
  ),
  replacing(
    'swallows-lost-reply-of-token',
    'A lost reply is answered with success, when an exchange token is saved',
    'exchange-told-reply-lost',
    onFailure(doneReply),
  ),
  replacing(
    'half-a-reply-is-success-on-save',
    'A reply that breaks off is taken as success, when a session is saved',
    'save-told-truncate',
    takesHalfAReplyAsDone,
  ),
  replacing(
    'any-200-is-success-on-save',
    'Any HTTP 200 is taken as success, when a session is saved',
    'save-told-not-json',
    takesAny200AsDone,
  ),
  replacing(
    'http-500-is-success-on-save',
    'The HTTP status is not looked at, when a session is saved',
    'save-told-http-500',
    takesHttp500AsDone,
  ),
  replacing(
    'id-not-compared-on-save',
    'The id of the reply is not compared, when a session is saved',
    'save-told-wrong-id',
    takesAnyIdAsDone,
  ),
  refusedWith('invalid_params', 'exchange-told-invalid-params', 'of-token'),
  refusedWith('internal_error', 'exchange-told-internal-error', 'of-token'),
  refusedWith('token_already_stored', 'exchange-told-token-already-stored', 'of-token'),
  refusedWith('not_authorized', 'save-told-not-authorized', 'on-save'),
  refusedWith('access_forbidden', 'save-told-access-forbidden', 'on-save'),
  watching(
    'broken-after-hang-of-token',
    'After a hanging call no call works any more, when an exchange token is saved',
    'exchange-survives-hang',
    brokenAfter((error) => error instanceof Error && error.message === 'The EHR server took too long.'),
  ),
  ...both(
    watching,
    'broken-after-three-breaks',
    'After three broken connections no call works any more',
    ['exchange-survives-reply-lost', 'save-survives-reply-lost'],
    brokenAfterBreaks(3),
  ),
  ...both(
    watching,
    'broken-after-two-breaks',
    'After two broken connections no call works any more',
    ['exchange-survives-reset', 'save-survives-reset'],
    brokenAfterBreaks(2),
  ),
  watching(
    'broken-after-one-break',
    'After one broken connection no call works any more',
    'save-survives-down',
    brokenAfterBreaks(1),
  ),
  watching(
    'broken-after-half-a-reply',
    'After a reply that breaks off no call works any more, when an exchange token is saved',
    'exchange-survives-truncate',
    brokenAfter(
      async (_error, response) =>
        response !== undefined && (await response.text().catch(() => undefined)) === undefined,
    ),
  ),
  ...both(
    watching,
    'broken-after-html',
    'After a page of HTML no call works any more',
    ['exchange-survives-not-json', 'save-survives-not-json'],
    brokenAfter(isPage),
  ),
  ...both(
    watching,
    'broken-after-wrong-id',
    'After the reply to another call no call works any more',
    ['exchange-survives-wrong-id', 'save-survives-wrong-id'],
    brokenAfterReply(isOfAnother),
  ),
  watching(
    'broken-after-500-on-save',
    'After an HTTP 500 no call works any more, when a session is saved',
    'save-survives-http-500',
    brokenAfter((_error, response) => response?.status === 500),
  ),
];

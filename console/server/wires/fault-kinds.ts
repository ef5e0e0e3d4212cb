/** The kinds of trouble that can be armed on a wire: the kit's faults, in words. */
import type { FaultName } from '#conformance/engine/journal/entry.ts';
import { errorTable } from '#protocol/wire/errors.ts';
import type { FaultKind, InterfaceError } from '../../api.ts';

const kind = (name: FaultName, group: FaultKind['group'], title: string, hasDelay = false): FaultKind => {
  return { name, group, title, hasDelay };
};

export const faultKinds: readonly FaultKind[] = [
  kind('down', 'cut', 'The connection is closed before the server is reached.'),
  kind('reset', 'cut', 'The connection is reset before the server is reached.'),
  kind('truncate', 'cut', 'The server answers, and half of the reply arrives.'),
  kind('late', 'slow', 'The reply comes late.', true),
  kind('split-reply', 'slow', 'The reply comes in three parts, with pauses.', true),
  kind('trickle', 'slow', 'The reply begins and never comes to its end.'),
  kind('hang', 'slow', 'There is no answer until the fault is switched off.'),
  kind('refuse', 'refuse', 'The call is refused with an error of the interface; the server is not reached.'),
  kind('http-500', 'refuse', 'The call is answered with HTTP 500; the server is not reached.'),
  kind('reply-lost', 'reply-lost', 'The server does its work, and its reply is lost.'),
  kind('not-json', 'nonsense', 'The answer is a page in HTML.'),
  kind('wrong-id', 'nonsense', 'The reply has the id of another call.'),
  kind('result-null', 'nonsense', 'The result is null.'),
  kind('no-result', 'nonsense', 'The reply has neither a result nor an error.'),
  kind('result-and-error', 'nonsense', 'The reply has both a result and an error.'),
  kind('error-text', 'nonsense', 'The error is a text.'),
  kind('array', 'nonsense', 'A single call is answered by a batch.'),
  kind('status-204', 'nonsense', 'The answer is HTTP 204 without a body.'),
  kind('duplicate-members', 'nonsense', 'The reply names id and result twice.'),
  kind('huge', 'nonsense', 'The reply is padded with eight megabytes of blanks.'),
];

export const interfaceErrors: readonly InterfaceError[] = Object.entries(errorTable).map(
  ([reason, { code, message }]) => ({ reason, code, message }),
);

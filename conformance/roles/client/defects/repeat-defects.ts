/** Clients that call twice, again and again, or take the reply of another call. */
import { type ClientDefect, defect } from './defect.ts';

const REPLAY = ['shopware/frontends#2600'] as const;
const LANDED = ['anthropics/anthropic-sdk-java#370', 'adamcavendish/aioduct#79'] as const;
const TWICE = 'one-action-one-call';
const NEEDLESS = 'no-needless-requests';
const UNANSWERED = 'unanswered-try-not-repeated';
const UNASKED = 'codes-asked-for-by-person';

export const repeatDefects: readonly ClientDefect[] = [
  defect('code-asked-for-twice', 'It asks for two codes at a sign-in', TWICE),
  defect('link-made-twice', 'It sends the form again after its success, with another exchange token', TWICE),
  defect('reported-twice', 'It reports each link twice', NEEDLESS),
  defect('reported-at-each-read', 'It reports the link again whenever the record is read', NEEDLESS),
  defect('two-exchange-tokens', 'It asks for two exchange tokens at once', NEEDLESS),
  defect(
    'form-sent-again-when-nobody-fits',
    'It sends a form that fits nobody once more by itself',
    'refused-try-not-repeated',
  ),
  defect('code-sent-again-without-answer', 'It confirms a code again when the reply is lost', UNANSWERED, ...LANDED),
  defect('code-asked-for-again-without-answer', 'It asks for another code when a reply is lost', UNANSWERED),
  defect('form-sent-again-without-answer', 'It sends the form again when the reply is lost', UNANSWERED, ...LANDED),
  defect('sign-in-begun-anew-without-answer', 'It begins the sign-in anew when the reply is lost', UNASKED),
  defect('code-asked-for-when-wrong', 'It asks for another code after a wrong one', UNASKED),
  defect(
    'exchange-tokens-without-end',
    'It asks for exchange tokens until one is taken',
    'exchange-tokens-in-vain',
    'medplum/medplum#9680',
  ),
  defect('reads-without-end', 'It reads the record until it is not refused', 'no-calls-without-end'),
  defect(
    'replayed-session-adopted',
    'It adopts the session of a reply that was sent before',
    'replayed-sign-in-refused',
    ...REPLAY,
  ),
  defect(
    'any-reply-ends-session',
    'It takes the reply of another call for that of auth.logout',
    'auth-server-fails-at-logout',
  ),
  defect(
    'any-reply-deletes',
    'It takes the reply of another call for that of auth.delete_user',
    'auth-server-fails-at-deletion',
  ),
  defect('any-reply-is-report', 'It takes the reply of another call for that of the report', 'report-made-up-for'),
];

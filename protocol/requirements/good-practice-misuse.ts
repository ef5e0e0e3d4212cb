/**
 * Good practice that the interface implies but does not state: secrets, other origins, and requests that
 * should be refused. The conformance kit judges it as well.
 */
import type { Requirement } from '../requirements.ts';

export const goodPracticeMisuse = [
  {
    id: 'K-internal-secrets-kept',
    clause: 'good practice, §5.1',
    party: 'auth-server',
    level: 'MUST',
    text: 'No answer to a client has the internal password or a digest of the internal channel in it.',
  },
  {
    id: 'K-others-secrets-kept',
    clause: 'good practice, §1 rule 9',
    party: 'auth-server',
    level: 'MUST',
    text: 'No answer to a client has a token or a user_sign of another user in it.',
  },
  {
    id: 'K-code-to-phone-alone',
    clause: 'good practice, §1 rule 8',
    party: 'auth-server',
    level: 'MUST',
    text: 'Before it is confirmed a one-time code is in no answer to a client.',
  },
  {
    id: 'K-ehr-error-kept',
    clause: 'good practice, §7',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'The text of an error of the EHR server is not handed to the client.',
  },
  {
    id: 'K-json-alone',
    clause: 'good practice, §4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'A body is taken only under the Content-Type that clients send, and not as text/plain.',
  },
  {
    id: 'K-cookie-origins-listed',
    clause: 'good practice, §4',
    party: 'auth-server',
    level: 'MUST',
    text: 'Where a cookie names the session, no page of a foreign origin may read answers with credentials.',
  },
  {
    id: 'K-origins-listed',
    clause: 'good practice, §4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'Only pages of listed origins may read answers with credentials.',
  },
  {
    id: 'K-token-drawn',
    clause: 'good practice, §2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'The authorization server draws the token of every session itself.',
  },
  {
    id: 'K-tokens-not-cached',
    clause: 'good practice, §2.3, §2.4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'Answers with tokens carry Cache-Control: no-store.',
  },
  {
    id: 'K-server-survives',
    clause: 'good practice, §7',
    party: 'auth-server',
    level: 'MUST',
    text: 'Nothing that a client sends or the EHR server answers ends the server.',
  },
  {
    id: 'K-code-to-one-phone',
    clause: 'good practice, §1 rule 8',
    party: 'auth-server',
    level: 'MUST',
    text: 'A one-time code is sent to one phone alone, and a request that names several gets none for all of them.',
  },
  {
    id: 'K-malformed-refused',
    clause: 'good practice, §4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'A request that cannot be understood is refused as one, and not answered as an error of the server.',
  },
  {
    id: 'K-no-trace-told',
    clause: 'good practice, §4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'No answer to a client has a stack trace in it.',
  },
  {
    id: 'K-nothing-by-get',
    clause: 'good practice, §4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'What is asked for by a POST is not done by a GET.',
  },
  {
    id: 'K-session-compared-whole',
    clause: 'good practice, §2.3',
    party: 'auth-server',
    level: 'MUST',
    text: 'A session is opened by the whole of its token alone: one that is right in part, or in other case, opens nothing.',
  },
  {
    id: 'K-session-of-its-own',
    clause: 'good practice, §1 rule 6, §4.5, §4.6',
    party: 'auth-server',
    level: 'MUST',
    text: 'A report, a logout and a deletion concern the session that was verified for them, whoever is named beside it.',
  },
  {
    id: 'K-ended-over-restart',
    clause: 'good practice, §1 rule 8, §2.3, §4.5, §4.6',
    party: 'auth-server',
    level: 'MUST',
    text: 'What has ended stays so when the server is started again: sessions, users and used codes; and no session is renewed by it.',
  },
  {
    id: 'K-link-kept-in-trouble',
    clause: 'good practice, §1 rule 7, §7',
    party: 'auth-server',
    level: 'SHOULD',
    text: "The signature of a user's link is forgotten only when the EHR server says that the link is gone.",
  },
] as const satisfies readonly Requirement[];

/** Good practice that the interface implies without a sentence of its own; the conformance kit judges it beside the interface. */
import type { Requirement } from '../requirements.ts';

export const goodPractice = [
  {
    id: 'K-code-expires',
    clause: 'good practice, §1 rule 8',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'A one-time code confirms nothing after its lifetime.',
  },
  {
    id: 'K-code-superseded',
    clause: 'good practice, §1 rule 8',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'A new one-time code makes the one sent before it useless.',
  },
  {
    id: 'K-code-tries-limited',
    clause: 'good practice, §1 rule 8',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'After a few wrong codes even the right one is refused until a new one is sent.',
  },
  {
    id: 'K-known-unknown-alike',
    clause: 'good practice, §1 rule 8',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'Requests for a code are answered alike for known and for unknown phones.',
  },
  {
    id: 'K-token-entropy',
    clause: 'good practice, §2.3, §2.4',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'Session tokens and exchange tokens carry at least 128 bits that cannot be guessed.',
  },
  {
    id: 'K-session-required',
    clause: 'good practice, §1 rule 4',
    party: 'auth-server',
    level: 'MUST',
    text: 'An exchange token is given only to the holder of a live session, and for nobody else is the EHR server called.',
  },
  {
    id: 'K-session-ends',
    clause: 'good practice, §4.5, §4.6',
    party: 'auth-server',
    level: 'MUST',
    text: 'After a logout or a deletion the session opens nothing, and the EHR server is not called on its behalf.',
  },
  {
    id: 'K-failure-told',
    clause: 'good practice, §4.1, §4.2',
    party: 'auth-server',
    level: 'MUST',
    text: 'When the EHR server fails or refuses, the client is told by an error and is given nothing that the EHR server does not know.',
  },
  {
    id: 'K-failure-bounded',
    clause: 'good practice, §4.1, §4.2',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'When the EHR server hangs or breaks off, the client is answered within a bounded time.',
  },
  {
    id: 'K-failure-survived',
    clause: 'good practice, §4.1, §4.2',
    party: 'auth-server',
    level: 'MUST',
    text: 'After a failure of the EHR server the next attempt succeeds.',
  },
  {
    id: 'K-slow-reply-understood',
    clause: 'good practice, §2.1',
    party: 'auth-server',
    level: 'MUST',
    text: 'A reply that comes late within the timeout, or in several parts, is understood whole.',
  },
  {
    id: 'K-no-redirect',
    clause: 'good practice, §5.1',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'Credentials of the internal channel follow no redirect.',
  },
] as const satisfies readonly Requirement[];

/**
 * Good practice of sessions and their tokens, which the interface leaves open. The kit judges it as well.
 */
import type { Requirement } from '../requirement.ts';

export const practiceSessions = [
  {
    id: 'K-exchange-token-new',
    clause: 'good practice, §1 rule 4, §2.4',
    source: 'practice',
    risk: 'somebody who holds an exchange token of another session, or of earlier, takes up the link of a user',
    party: 'auth-server',
    level: 'MUST',
    text: 'An exchange token is given to one session alone, and no more when its ten minutes have run out.',
  },
  {
    id: 'K-exchange-token-fresh',
    clause: 'good practice, §1 rule 4, §2.4',
    source: 'practice',
    risk: 'somebody who kept an earlier exchange token of a device takes up the link that is begun on it now',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'Each request for an exchange token is given one that was never given before.',
  },
  {
    id: 'K-ttl-as-told',
    clause: 'good practice, §2.3',
    source: 'practice',
    risk: 'a user whose client believes that the session lives is refused the record',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'A session lives as long as its client was told, and the EHR server is sent the same lifetime.',
  },
  {
    id: 'K-session-ehr-first',
    clause: 'good practice, §1 rule 6, §1 rule 7',
    source: 'practice',
    risk: 'a client that is quick is refused the record with a session that is not saved yet, and its user sees the form',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'The EHR server has acknowledged the session before the client is told that it is signed in or linked.',
  },
  {
    id: 'K-missing-entry-told',
    clause: 'good practice, §1 rule 6, §7',
    source: 'practice',
    risk: 'a user who cannot be recorded believes that the record is connected, and connects it again each time',
    party: 'auth-server',
    level: 'SHOULD',
    text: 'The client of a user without an entry in the correspondence table is told of an error, or that there is no link.',
  },
] as const satisfies readonly Requirement[];

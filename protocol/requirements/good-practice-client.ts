/** Good practice of client applications that the interface implies: the conformance kit judges it as well. */
import type { Requirement } from './requirement.ts';

export const goodPracticeClient = [
  {
    id: 'K-client-secrets-unseen',
    clause: 'good practice, §1 rule 9, §2.3, §2.4',
    source: 'practice',
    party: 'client',
    level: 'MUST',
    text: 'No screen of the client shows a session token, an exchange token or a user_sign.',
  },
  {
    id: 'K-client-shows-what-is-served',
    clause: 'good practice, §1 rule 2, §4.4',
    source: 'practice',
    party: 'client',
    level: 'MUST',
    text: 'The record on the screen is the one that the EHR server gave last to the session, and there is none after its refusal.',
  },
  {
    id: 'K-client-acts-once',
    clause: 'good practice, §1, §4',
    source: 'practice',
    party: 'client',
    level: 'MUST',
    text: 'One action of the person makes each call once that changes something or counts as a try.',
  },
  {
    id: 'K-client-any-server',
    clause: 'good practice, §2.1, §2.6, §7',
    source: 'practice',
    party: 'client',
    level: 'MUST',
    text: 'Ids of replies in either type, errors by number alone and members that are not known stop no client.',
  },
  {
    id: 'K-client-ends-former-session',
    clause: 'good practice, §4.5',
    source: 'practice',
    party: 'client',
    level: 'SHOULD',
    text: 'A client in which another person signs in ends the session of the one before, at both servers.',
  },
  {
    id: 'K-client-ttl-unit',
    clause: 'good practice, §2.3, decision 9',
    source: 'practice',
    party: 'client',
    level: 'SHOULD',
    text: 'A client that counts the ttl of its session counts it in minutes.',
  },
] as const satisfies readonly Requirement[];

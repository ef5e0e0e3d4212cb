/** Requirements of our own design, for questions that neither the interface nor a decision answers. */
import type { Requirement } from './requirement.ts';

export const design = [
  // Settled by our own design
  {
    id: 'X-ijson',
    clause: 'design',
    source: 'decision',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A message with duplicate member names, unpaired surrogates, a member named __proto__ or nesting beyond 32 levels is refused as invalid_request.',
  },
  {
    id: 'X-internal-listener',
    clause: 'design',
    source: 'decision',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Client methods on the internal listener are refused as access_forbidden.',
  },
  {
    id: 'X-others-untold',
    clause: 'good practice, §1 rule 9, §5.3',
    source: 'practice',
    risk: 'somebody who has a session of their own learns the tokens, the signature or the record of somebody else',
    party: 'ehr-server',
    level: 'MUST',
    text: 'No reply, an error included, tells a user, token, user_sign or record that belongs to somebody else.',
  },
] as const satisfies readonly Requirement[];

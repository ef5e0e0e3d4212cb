/** Requirements of §3: the states of a user and what moves between them. */
import type { Requirement } from './requirement.ts';

export const section3 = [
  // §3 States
  {
    id: '3-no-session',
    clause: '§3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A user for whom no (user, token) pair is stored gets an error instead of patient data.',
  },
  {
    id: '3-exchange-token-pending',
    clause: '§3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A pending exchange token is good for authenticate for ten minutes and does not itself open patient data.',
  },
  {
    id: '3-authenticated',
    clause: '§3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A user with a stored session gets patient data from patient.get_patient.',
  },

  // §3 Transitions
  {
    id: '3-exchange-token-remembered',
    clause: '§3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_exchange_token with a valid cred makes the token pending and remembers its authInfo.',
  },
  {
    id: '3-authenticate-opens',
    clause: '§3, §1 rule 6',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate with a pending exchange token and a matching patient takes the user to authenticated.',
  },
  {
    id: '3-authenticate-needs-live-token',
    clause: '§3, §7',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate with an exchange token past its ten minutes is an error and leaves the user without a session.',
  },
  {
    id: '3-authenticate-needs-patient',
    clause: '§3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate without a matching patient leaves the user without a session.',
  },
  {
    id: '3-save-opens',
    clause: '§3, §4.1',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_auth_info with a valid cred and a new token takes a user matched earlier to authenticated.',
  },
  {
    id: '3-repeated-save-changes-nothing',
    clause: '§3',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Saving a stored token again returns an error, and the stored session stays as it was.',
  },
  {
    id: '3-logout-ends-session',
    clause: '§3, §4.5',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: "remove_auth_info takes the user from authenticated to no session and deletes the session's data.",
  },
  {
    id: '3-disconnect-ends-session',
    clause: '§3, §4.6',
    source: 'interface',
    party: 'ehr-server',
    level: 'MUST',
    text: 'remove_authentication takes the user from authenticated to no session and cancels the authentication.',
  },
] as const satisfies readonly Requirement[];

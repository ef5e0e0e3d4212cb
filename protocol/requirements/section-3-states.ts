/** Requirements of §3: the states of a user and what moves between them. */
import type { Requirement } from './requirement.ts';

export const section3 = [
  // §3 States
  {
    id: '3-no-session',
    clause: '§3',
    source: 'interface',
    basis: 'Without a stored pair of user and token, patient data is refused with an error.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A user for whom no (user, token) pair is stored gets an error instead of patient data.',
  },
  {
    id: '3-exchange-token-pending',
    clause: '§3',
    source: 'interface',
    basis:
      'A pending exchange token is valid for ten minutes; data is answered in the state Authenticated, which is another one.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A pending exchange token is good for authenticate for ten minutes and does not itself open patient data.',
  },
  {
    id: '3-authenticated',
    clause: '§3',
    source: 'interface',
    basis: 'While a session is stored, patient.get_patient answers with data.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'A user with a stored session gets patient data from patient.get_patient.',
  },

  // §3 Transitions
  {
    id: '3-exchange-token-remembered',
    clause: '§3',
    source: 'interface',
    basis: 'On save_exchange_token with a valid cred, the exchange token and its authInfo are remembered.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_exchange_token with a valid cred makes the token pending and remembers its authInfo.',
  },
  {
    id: '3-authenticate-opens',
    clause: '§3, §1 rule 6',
    source: 'interface',
    basis:
      'authenticate with a valid exchange token and a matching patient leads to the state Authenticated.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate with a pending exchange token and a matching patient takes the user to authenticated.',
  },
  {
    id: '3-authenticate-needs-live-token',
    clause: '§3, §7',
    source: 'interface',
    basis:
      'authenticate needs an exchange token that is within its ten minutes; with an expired one it is an error.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate with an exchange token past its ten minutes is an error and leaves the user without a session.',
  },
  {
    id: '3-authenticate-needs-patient',
    clause: '§3',
    source: 'interface',
    basis: 'authenticate leads to the state Authenticated only if a matching patient exists.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'authenticate without a matching patient leaves the user without a session.',
  },
  {
    id: '3-save-opens',
    clause: '§3, §4.1',
    source: 'interface',
    basis:
      'save_auth_info with a valid cred and a token not yet stored leads to the state Authenticated, when user and patient were matched earlier.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'save_auth_info with a valid cred and a new token takes a user matched earlier to authenticated.',
  },
  {
    id: '3-repeated-save-changes-nothing',
    clause: '§3',
    source: 'interface',
    basis: 'When the token exists already, save_auth_info returns an error, and the state is unchanged.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'Saving a stored token again returns an error, and the stored session stays as it was.',
  },
  {
    id: '3-logout-ends-session',
    clause: '§3, §4.5',
    source: 'interface',
    basis: 'remove_auth_info leads to the state No session, and the session data is deleted.',
    party: 'ehr-server',
    level: 'MUST',
    text: "remove_auth_info takes the user from authenticated to no session and deletes the session's data.",
  },
  {
    id: '3-disconnect-ends-session',
    clause: '§3, §4.6',
    source: 'interface',
    basis: 'remove_authentication leads to the state No session, and the authentication is cancelled.',
    party: 'ehr-server',
    level: 'MUST',
    text: 'remove_authentication takes the user from authenticated to no session and cancels the authentication.',
  },
] as const satisfies readonly Requirement[];

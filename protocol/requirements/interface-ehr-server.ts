/** What the interface says of the EHR server. */
import { says } from './requirement.ts';

export const interfaceEhrServer = [
  ...says('ehr-server', 'MUST', {
    '1-no-own-sign-in': [
      '§1, §1 rule 1',
      'The EHR server has no authorization server of its own: users sign in, and receive their token, elsewhere.',
      'The EHR server offers no method with which an end user signs in or is given a session token.',
    ],
    '1-internal-channel-closed': [
      '§1, §4.1, §4.2',
      'The channel between the two servers is closed to end users, and the saves come over it.',
      'Where the internal channel has an endpoint of its own, a save over the public one is not carried out.',
    ],
    '1-pair-per-session': [
      '§1',
      'The EHR server keeps a pair of user and token for each session.',
      'Each session is kept as its own (user, token) pair.',
    ],
    '1-sign-is-part-of-secret': [
      '§1 rule 9',
      'The user_sign is part of the secret with which the EHR server is reached.',
      'The internal password without the user_sign does not suffice to save a session.',
    ],
    '2.1-id-echoed': [
      '§2.1',
      'The id of the request is echoed in the reply.',
      'The reply carries the id of the request that it answers.',
    ],
    '2.3-ttl-lived': [
      '§2.3',
      'The ttl is the lifetime of the session record.',
      'A session lives as long as its ttl says, over a restart too, and no longer.',
    ],
    '2.3-token-of-one-session': [
      '§2.3, §8',
      'The session token is unique across the system, and a token value is used once.',
      'The token of a session, also of an expired one, opens no other session.',
    ],
    '2.4-remembered': [
      '§2.4, §4.2',
      'The EHR server must remember the exchange token, for ten minutes.',
      'A saved exchange token that is not used is remembered for its ten minutes.',
    ],
    '2.6-sign-is-string': [
      '§2.6',
      'The reply of patient.get_patient has the user signature, a text.',
      'patient.get_patient returns the user signature, and it is a string.',
    ],
    '3-no-session': [
      '§3',
      'Without a stored pair of user and token, patient data is refused with an error.',
      'A user for whom no (user, token) pair is stored gets an error instead of patient data.',
    ],
    '3-exchange-token-pending': [
      '§3',
      'A pending exchange token is valid for ten minutes; data is answered in the state Authenticated, which is another one.',
      'A pending exchange token is good for authenticate for ten minutes and does not itself open patient data.',
    ],
    '3-authenticated': [
      '§3',
      'While a session is stored, patient.get_patient answers with data.',
      'A user with a stored session gets patient data from patient.get_patient.',
    ],
    '3-exchange-token-remembered': [
      '§3',
      'On save_exchange_token with a valid cred, the exchange token and its authInfo are remembered.',
      'save_exchange_token with a valid cred makes the token pending and remembers its authInfo.',
    ],
    '3-authenticate-opens': [
      '§3, §1 rule 6',
      'authenticate with a valid exchange token and a matching patient leads to the state Authenticated.',
      'authenticate with a pending exchange token and a matching patient takes the user to authenticated.',
    ],
    '3-authenticate-needs-live-token': [
      '§3, §7',
      'authenticate needs an exchange token that is within its ten minutes; with an expired one it is an error.',
      'authenticate with an exchange token past its ten minutes is an error and leaves the user without a session.',
    ],
    '3-authenticate-needs-patient': [
      '§3',
      'authenticate leads to the state Authenticated only if a matching patient exists.',
      'authenticate without a matching patient leaves the user without a session.',
    ],
    '3-save-opens': [
      '§3, §4.1',
      'save_auth_info with a valid cred and a token not yet stored leads to the state Authenticated, when user and patient were matched earlier.',
      'save_auth_info with a valid cred and a new token takes a user matched earlier to authenticated.',
    ],
    '3-repeated-save-changes-nothing': [
      '§3',
      'When the token exists already, save_auth_info returns an error, and the state is unchanged.',
      'Saving a stored token again returns an error, and the stored session stays as it was.',
    ],
    '3-logout-ends-session': [
      '§3, §4.5',
      'remove_auth_info leads to the state No session, and the session data is deleted.',
      "remove_auth_info takes the user from authenticated to no session and deletes the session's data.",
    ],
    '3-disconnect-ends-session': [
      '§3, §4.6',
      'remove_authentication leads to the state No session, and the authentication is cancelled.',
      'remove_authentication takes the user from authenticated to no session and cancels the authentication.',
    ],
    '4-one-endpoint': [
      '§4',
      'The service has one endpoint, and the operation is chosen by the field method.',
      'All methods are served at one and the same path, and the member method chooses among them.',
    ],
    '4-empty-result': [
      '§4, §4.5, §4.6',
      'The reply of an operation that returns nothing has jsonrpc 2.0, an empty object as result, and id.',
      'The success reply of a removal has jsonrpc 2.0, an empty object as result, and the id.',
    ],
    '4-json-rpc-reply': [
      '§4',
      'All operations are JSON-RPC 2.0 calls, and the shown reply has jsonrpc 2.0 and a result.',
      'A reply has jsonrpc 2.0 and either a result or an error.',
    ],
    '4.1-cred-required': [
      '§4.1, §3',
      'save_auth_info requires a cred, and the session is stored if it is valid.',
      'save_auth_info without a cred stores no session.',
    ],
    '4.1-token-unique': [
      '§4.1, §2.3',
      'The token must be unique in the system; a request with an existing one returns an error.',
      'A token stored for one user is refused when it is saved for another.',
    ],
    '4.1-repeat-refused': [
      '§4.1, §7',
      'A repeated request with an existing token returns an error.',
      'A repeated save of a stored token is refused.',
    ],
    '4.2-cred-required': [
      '§4.2, §3',
      'save_exchange_token requires a cred, and the exchange token is remembered if it is valid.',
      'save_exchange_token without a cred stores no exchange token.',
    ],
    '4.2-binds-auth-info': [
      '§4.2, §2.4, §1 rule 4',
      'The exchange token is remembered bound to its authInfo.',
      'An exchange token opens the session of the authInfo saved with it, and no other.',
    ],
    '4.3-patient-must-fit': [
      '§4.3, §2.5, §7',
      'The medical information system must hold a patient that fits the properties, or authenticate cannot succeed.',
      'authenticate is refused when no patient of the medical information system fits the properties.',
    ],
    '4.3-authenticates': [
      '§4.3',
      'authenticate authenticates the user on the EHR server.',
      'A successful authenticate makes the user of the exchange token authenticated.',
    ],
    '4.4-record-and-sign': [
      '§4.4, §1 rule 2, §2.6',
      'The reply carries the patient data and user_sign when the session exists.',
      "For a stored session, the reply of patient.get_patient has the linked patient's data and user_sign.",
    ],
    '4.4-not-authenticated': [
      '§4.4, §1 rule 3',
      'When the user is not authenticated on the EHR server, the reply is an error.',
      'patient.get_patient that names no stored session is answered with an error.',
    ],
    '5.1-user-checked': [
      '§5.1, §3',
      'A valid cred has the internal user name of the authorization server as its user.',
      'An internal call under another user name is refused, even when its digest is right.',
    ],
    '5.1-digest-verified': [
      '§5.1, §3',
      'A valid cred has the digest of the internal password followed by the user_sign, without a separator.',
      'save_auth_info is refused when its digest is over another password, order, separator or secret.',
    ],
    '5.2-digest-verified': [
      '§5.2, §3',
      'A valid cred of save_exchange_token has the digest of the internal password followed by that exchange token.',
      'save_exchange_token is refused when its digest is over anything but the exchange token it carries.',
    ],
    '5.3-header-opens-nothing': [
      '§5.3, §4.1, §4.2',
      'Header authentication would give access to all data, so a cred with the digest is required.',
      'An Authorization header, Basic or Bearer, does not take the place of the cred of an internal call.',
    ],
    '5.3-own-sign-needed': [
      '§5.3, §1 rule 9',
      'The data of each user needs the user_sign of that user.',
      'Whoever holds the internal password and one user_sign saves no session for the user of another.',
    ],
    '5.4-authenticate-identified': [
      '§5.4, §4.3',
      'authenticate carries no cred: identification rests on exchange token and properties.',
      'authenticate needs no cred: the exchange token and the properties identify the user.',
    ],
    '5.4-removals-cred-checked': [
      '§5.4, §4.5, §4.6',
      'The cred of a removal carries user and token of the session that it removes.',
      'A removal without a cred, or with one that is no stored session, removes nothing.',
    ],
    '7-not-authenticated': [
      '§7',
      'The error tells the client to run the exchange-token flow.',
      'The error for a user who is not authenticated is one the client can tell apart as a call to link.',
    ],
    '7-exchange-token-unknown': [
      '§7',
      'An unknown exchange token is an error of authenticate.',
      'authenticate with an exchange token that was never stored is an error.',
    ],
    '8-exchange-token-lifetime': [
      '§8, §2.4, §4.2',
      'The lifetime of an exchange token is ten minutes, from save_exchange_token to authenticate.',
      'authenticate takes an exchange token for ten minutes after save_exchange_token, and no longer.',
    ],
    '8-token-used-once': [
      '§8',
      'A session token is used once.',
      'One token value makes one session, however often it is offered to save_auth_info.',
    ],
  }),
  ...says('ehr-server', 'MAY', {
    '9-pre-release-label': [
      '§9',
      'The version may be a pre-release label.',
      'The version segment is a pre-release label.',
    ],
  }),
];

/** What the interface says of the EHR server, and good practice of EHR servers that it does not state. */
import { interfaceRows, practiceRows } from './requirement.ts';

export const interfaceEhrServer = [
  ...interfaceRows('ehr-server', 'MUST', {
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
  ...interfaceRows('ehr-server', 'MAY', {
    '9-pre-release-label': [
      '§9',
      'The version may be a pre-release label.',
      'The version segment is a pre-release label.',
    ],
  }),
];

export const practiceEhrServer = [
  ...practiceRows('ehr-server', 'MUST', {
    'D13-exchange-token-used-up': [
      'decision 13',
      'somebody who comes by an exchange token that was used, and knows the patient, opens the session again',
      'An exchange token with which authenticate succeeded cannot be used again.',
    ],
    'D20-all-sessions-removed': [
      'decision 20, §4.6',
      'somebody who holds another device of the user goes on reading the record after it was disconnected',
      'remove_authentication ends all sessions of the user, on every device.',
    ],
    'D21-stored-user-only': [
      'decision 21, §5.4',
      'somebody who has an exchange token of their own links a patient to another user',
      'authenticate acts for the user of the stored authInfo, whatever user the client names.',
    ],
    'X-others-untold': [
      '§1 rule 9, §5.3',
      'somebody who has a session of their own learns the tokens, the signature or the record of somebody else',
      'No reply, an error included, tells a user, token, user_sign or record that belongs to somebody else.',
    ],
    'K-guesses-limited': [
      'decision 13, decision 37',
      'somebody who knows the phone of a patient guesses name and day of birth, and reads the record',
      'After a number of failed matches with an exchange token, or with the phone of a patient, further ones open nothing, however they are sent.',
    ],
    'K-ambiguous-matches-nobody': [
      '§4.3',
      'somebody who has a namesake reads the record of that one',
      'Properties that fit several patients open the record of none of them.',
    ],
    'K-sign-unguessable': [
      '§1 rule 9, §5.3',
      'somebody who has taken over the authorization server works out the signatures and opens every record',
      'A user_sign follows from nothing that others know, and each user has one of their own.',
    ],
    'K-session-over-at-ttl': [
      '§2.3',
      'somebody who finds an old device or an old token reads the record',
      'After its ttl a session reads nothing: neither a refused call nor another sign-in of the user revives or lengthens it.',
    ],
    'K-few-properties-match-nobody': [
      '§2.5',
      'somebody who knows only the phone connects the record of its owner',
      'A search that lacks properties, or has empty or shortened ones, matches nobody.',
    ],
    'K-record-of-patient': [
      '§4.3, §4.4',
      'somebody who connects a record of their own reads that of another patient',
      'A record is that of the patient whom the properties fitted, and of nobody else.',
    ],
    'K-patient-let-go': [
      '§4.3, §4.6',
      'somebody who disconnected a record, or was refused it, locks its owner out of it for good',
      'A patient is linked to the user of the exchange token alone, and free when that link is removed.',
    ],
    'K-cookies-open-nothing': [
      '§5.4',
      'somebody who lures a user to a page has the browser of the user read the record or end the session',
      'A call of a client without its cred is refused, whatever cookie comes with it.',
    ],
    'K-internal-certificate': [
      '§1',
      'somebody who reaches the internal listener, and knows the internal password, saves sessions from any machine',
      'Where the owner says that the internal listener demands a client certificate, it takes no call without it.',
    ],
  }),
  ...practiceRows('ehr-server', 'SHOULD', {
    'DE-no-secrets-echoed': [
      'decision E',
      'somebody who reads a log or a report of errors learns tokens and private details',
      'No error repeats a token, a digest, a user_sign or a patient property from the request.',
    ],
    'DE-internal-error-silent': [
      'decision E',
      'somebody who causes an error learns from its text how the server is made',
      'Nothing of the cause of an internal_error reaches the wire: no message, stack, path or SQL.',
    ],
    'D15-sign-renewed': [
      'decision 15',
      'somebody who kept the signature of a link that was removed has a part of the secret of the next one',
      'A link made after remove_authentication has a new user_sign, and the old one opens nothing.',
    ],
    'D36-logout-ends-pending': [
      'decision 36',
      'somebody who holds an exchange token of a session that was logged out, and knows the patient, opens it again',
      'remove_auth_info ends the pending exchange tokens of its session, and of no other.',
    ],
    'D36-disconnect-ends-pending': [
      'decision 36',
      'somebody who holds an exchange token of a user who disconnected, and knows the patient, connects the record again',
      'remove_authentication, the first step of a deletion too, ends all pending exchange tokens of the user.',
    ],
    'K-origins-listed': [
      '§4',
      'somebody whose page a user opens reads answers that are meant for that user',
      'Only pages of listed origins may read answers with credentials.',
    ],
    'K-tokens-not-cached': [
      '§2.3, §2.4, §4.4',
      'somebody who uses the same browser or proxy later reads tokens or a record',
      'Answers with a record carry Cache-Control: no-store.',
    ],
    'K-mismatch-not-named': [
      '§2.5, §7',
      'somebody who knows the phone of a patient tries out name and day of birth one at a time',
      'The refusal of a match does not tell which of the properties differs.',
    ],
    'K-inactive-not-matched': [
      '§4.3',
      'somebody who knows the details of a person who has died reads that record',
      'An inactive or deceased patient matches nobody.',
    ],
    'K-text-whole': [
      '§2.5, §4.4',
      'a user whose name or token has other letters is matched to nobody, or reads a wrong name',
      'Text beyond ASCII keeps its letters, in both directions.',
    ],
    'K-late-call-refused': [
      '§4',
      'a user whose phone sends a call twice is told of a failure of the server',
      'Of calls that meet, one that comes too late is refused, and not answered as an error of the server.',
    ],
    'K-json-type-taken': [
      '§4',
      'a user whose client names a charset beside the type of its calls is served nothing',
      'The type application/json is taken in any case, and with parameters such as a charset.',
    ],
  }),
];

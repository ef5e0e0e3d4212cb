/** What the interface says of the authorization server, and of all who call the EHR server. */
import { interfaceRows } from './requirement.ts';

export const interfaceAuthServer = [
  ...interfaceRows('auth-server', 'MUST', {
    '1-confirm-then-store': [
      '§1',
      'The authorization server confirms the identity of the user, and then stores the session in the EHR server.',
      'A session is sent to the EHR server only after the identity of its user has been confirmed.',
    ],
    '1-pair-at-sign-in': [
      '§1 rule 1',
      'The user signs in on the authorization server and receives a pair of user and token.',
      'A completed sign-in hands the client a user identifier and a session token.',
    ],
    '1-properties-not-relayed': [
      '§1 rule 3',
      'The data of the form must be sent neither to the authorization server nor through it.',
      'The authorization server takes no patientProperties from a client and passes none on.',
    ],
    '1-exchange-token-to-client': [
      '§1 rule 4',
      'The client asks for an exchange token, and the authorization server sends it one.',
      'A signed-in client that asks for an exchange token is given one.',
    ],
    '1-exchange-token-to-ehr': [
      '§1 rule 4',
      'The authorization server sends this token both to the client and to the EHR server.',
      'Each exchange token given to a client is also sent to the EHR server, with the very same value.',
    ],
    '1-session-saved-after-link': [
      '§1 rule 6, §3',
      'The authorization server must know of the success, and the session is saved by save_auth_info.',
      'On learning that authenticate succeeded, the authorization server sends save_auth_info for that user and token.',
    ],
    '1-internal-id-looked-up': [
      '§1 rule 6',
      'The authorization server adds an internal user id, which is found in a correspondence table.',
      "To record a session, the authorization server looks up the user's entry in its correspondence table.",
    ],
    '1-no-correspondence-error': [
      '§1 rule 6, §7',
      'A user without an entry in the correspondence table is an error when the session is recorded.',
      'Without an entry for the user in the correspondence table the session is not recorded, and that is an error.',
    ],
    '1-matched-user-saved-directly': [
      '§1 rule 7',
      'When the session was matched to a patient earlier, the authorization server sends save_auth_info directly.',
      'The sign-in of a user matched to a patient earlier sends save_auth_info without an exchange token.',
    ],
    '1-phone-confirmed': [
      '§1 rule 8, §1',
      'The authorization server must confirm that the phone number belongs to the user, and stores the session then.',
      'Nobody gets a session, here or at the EHR server, before the phone number is confirmed to be theirs.',
    ],
    '2.2-digest-shape': [
      '§2.2',
      'The token of the authorization server is a digest of 40 lowercase hexadecimal characters.',
      "The authorization server's cred.token consists of exactly 40 characters from 0-9 and a-f.",
    ],
    '2.3-user': [
      '§2.3, §1 rule 1',
      'The authInfo has user, a text that identifies the end user, who received it with the token at the sign-in.',
      'authInfo.user is a string that identifies the end user, the one handed to the client at sign-in.',
    ],
    '2.3-token': [
      '§2.3, §1 rule 1',
      'The authInfo has token, a text: the session token of the end user, who received it at the sign-in.',
      'authInfo.token is a string: the session token handed to the client at sign-in.',
    ],
    '2.3-token-unique': [
      '§2.3',
      'The session token is unique across the system.',
      'No two sessions are given the same session token, whoever their users are.',
    ],
    '2.3-ttl': [
      '§2.3',
      'The authInfo has ttl, an integer: the lifetime of the session record.',
      'authInfo.ttl is a JSON integer that states how long the session record lives.',
    ],
    '2.3-internal-id-not-sent': [
      '§2.3',
      'The internal user id is no field of the calls.',
      'No request to the EHR server has a member internalUserId.',
    ],
    '2.4-known-to-both': [
      '§2.4',
      'The exchange token is known to client and EHR server, and the authorization server sends it to both.',
      'A client is never left with an exchange token that the EHR server has not been sent.',
    ],
    '4.1-params': [
      '§4.1',
      'The params of save_auth_info are an authInfo with user, token and ttl.',
      'The params of save_auth_info have the object authInfo with user, token and ttl.',
    ],
    '4.2-params': [
      '§4.2',
      'The params of save_exchange_token are exchangeToken, a text, and an authInfo with user, token and ttl.',
      'The params of save_exchange_token have the string exchangeToken and an authInfo with user, token and ttl.',
    ],
    '4.2-asking-session': [
      '§4.2, §2.3, §1 rule 4',
      'The client asks for the exchange token, and it is sent with the authInfo: user and session token of the end user.',
      'The authInfo sent with an exchange token is that of the session whose client asked for it.',
    ],
    '5.1-user': [
      '§5.1',
      'The user in the cred is the internal user name of the authorization server.',
      "cred.user of an internal call is the authorization server's internal user name.",
    ],
    '5.1-digest': [
      '§5.1',
      'The token in the cred is the SHA-1 digest, in lowercase hexadecimal, of the internal password and the user_sign.',
      'cred.token of save_auth_info is the SHA-1 of internal password and user_sign, in lowercase hexadecimal.',
    ],
    '5.1-digest-order': [
      '§5.1, §5.2',
      'The password comes first and the secret second, without a separator.',
      'In the digested string the internal password stands first and the secret directly behind it, unseparated.',
    ],
    '5.1-digest-of-own-sign': [
      '§5.1',
      'The digest is over the user_sign of the end user.',
      'The user_sign in the digest of save_auth_info is that of the very user whose session is saved.',
    ],
    '5.2-digest': [
      '§5.2',
      'The token in the cred of save_exchange_token is the same kind of digest, over the internal password followed by the exchange token.',
      'cred.token of save_exchange_token is the same kind of digest over internal password and exchange token.',
    ],
  }),
  ...interfaceRows('auth-server', 'MAY', {
    '1-other-attribute': [
      '§1 rule 8',
      'Another attribute whose ownership can be confirmed may replace the phone number.',
      'Another attribute whose ownership can be confirmed stands in for the phone number.',
    ],
  }),
  ...interfaceRows(['client', 'auth-server'], 'MUST', {
    '2.1-jsonrpc-sent': [
      '§2.1',
      'A request has jsonrpc, always the text 2.0.',
      'Every request to the EHR server has the member jsonrpc with the string 2.0.',
    ],
    '2.1-id-sent': [
      '§2.1',
      'A request has an id, which identifies it.',
      'Every request to the EHR server has an id.',
    ],
    '2.1-method-sent': [
      '§2.1',
      'A request has method, a text with the name of the operation.',
      'Every request to the EHR server names its operation in the string member method.',
    ],
    '2.1-params-sent': [
      '§2.1',
      'A request has params, an object with the parameters.',
      'The parameters of a request to the EHR server stand in the member params, by name.',
    ],
    '2.1-cred-sent': [
      '§2.1',
      'Some operations have cred, an object with the credentials.',
      'The credentials of a request stand in the object member cred, on the operations that call for them.',
    ],
    '2.2-user-names-caller': [
      '§2.2',
      'A cred has user, a text that identifies the caller, and token, a text.',
      'cred.user and cred.token are strings; the user names the caller, who is the end user or the internal user.',
    ],
    '2.4-parameter-name': [
      '§2.4',
      'The exchange token is a text, called exchangeToken in the parameters.',
      'The exchange token is sent to the EHR server as a string, in the parameter exchangeToken.',
    ],
    '4-post-json': [
      '§4',
      'All operations are sent as an HTTP POST with a JSON body.',
      'Every call of an operation of the EHR server is an HTTP POST whose body is JSON.',
    ],
    '4.1-internal-channel': [
      '§4.1',
      'The caller of save_auth_info is the authorization server, over the internal channel.',
      'save_auth_info is sent by the authorization server alone, over the internal channel.',
    ],
    '4.2-internal-channel': [
      '§4.2',
      'The caller of save_exchange_token is the authorization server, over the internal channel.',
      'save_exchange_token is sent by the authorization server alone, over the internal channel.',
    ],
    '4.3-caller': [
      '§4.3',
      'The caller of authenticate is the client application.',
      'authenticate is sent by the client alone, never by the authorization server.',
    ],
    '4.4-caller': [
      '§4.4, §1 rule 2',
      'The caller of patient.get_patient is the client application, for a user who holds a session.',
      'patient.get_patient is sent by the client alone, for a user who holds a session.',
    ],
    '9-version-in-path': [
      '§9, §4',
      'The path carries a version segment, placed after the base URL.',
      'Calls go to the base URL, directly followed by the version segment.',
    ],
  }),
];

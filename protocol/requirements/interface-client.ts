/** What the interface says of the client. */
import { says } from './requirement.ts';

export const interfaceClient = [
  ...says('client', 'MUST', {
    '1-sign-in-comes-first': [
      '§1 rule 1, §1 rule 2',
      'The user signs in on the authorization server first, and then the client calls the EHR server.',
      'The client signs in at the authorization server before it calls the EHR server.',
    ],
    '1-form-on-refusal': [
      '§1 rule 3, §1 rule 4, §7',
      'When the call fails because the user is not authenticated, the client shows a form that collects data about the patient, and asks for an exchange token.',
      'When the record is refused for want of a session, the client starts the exchange and asks who the patient is.',
    ],
    '1-properties-not-to-auth': [
      '§1 rule 3',
      'The data of the form must not be sent to the authorization server.',
      'No request to the authorization server carries what the form collected about the patient.',
    ],
    '1-properties-straight-to-ehr': [
      '§1 rule 3, §1 rule 5',
      'The data of the form must not be sent through the authorization server; the client passes it to the EHR server.',
      'The patient properties go from the client to the EHR server, and not through the authorization server.',
    ],
    '1-exchange-token-requested': [
      '§1 rule 4, §1 rule 5',
      'The client asks the authorization server for an exchange token, with which it then calls authenticate.',
      'The client asks the authorization server for an exchange token before it calls authenticate.',
    ],
    '1-authenticate-in-time': [
      '§1 rule 5',
      'The client calls authenticate within the lifetime of the token.',
      'The client calls authenticate within the lifetime of its exchange token.',
    ],
    '1-auth-told-of-link': [
      '§1 rule 6',
      'After a success of authenticate the authorization server must know of it.',
      'After a successful authenticate the client lets the authorization server know of it.',
    ],
    '2.5-names': [
      '§2.5',
      'The properties have name, the given name, and surname, the family name, both as text.',
      "patientProperties.name and surname, where sent, are strings: the patient's given name and family name.",
    ],
    '2.5-date': [
      '§2.5',
      'The properties have date, the date of birth.',
      'patientProperties.date, where sent, is the date of birth, as a string.',
    ],
    '2.5-gender': [
      '§2.5',
      'The properties have gender, an integer.',
      'patientProperties.gender, where sent, is an integer.',
    ],
    '2.5-phone': [
      '§2.5',
      'The properties have phone, a text of digits only.',
      'patientProperties.phone, where sent, is a string of digits and nothing else.',
    ],
    '4.3-params': [
      '§4.3, §1 rule 5',
      'The params of authenticate are exchangeToken, a text, and patientProperties, an object.',
      'The params of authenticate have the string exchangeToken and the object patientProperties.',
    ],
    '4.5-called-at-exit': [
      '§4.5',
      'remove_auth_info is the logout, used when the user leaves the application, as by an exit button.',
      'When the user logs out, the client calls remove_auth_info.',
    ],
    '4.5-params': [
      '§4.5',
      'The params of remove_auth_info are an empty object.',
      'The params of remove_auth_info are an empty object.',
    ],
    '4.5-ehr-first': [
      '§4.5',
      'The EHR server is called first, and the logout of the authorization server only after it.',
      "Where a logout calls the authorization server's logout, the EHR server is called before it.",
    ],
    '4.5-auth-after-success': [
      '§4.5',
      'The logout of the authorization server is called only after a successful reply of the EHR server.',
      "When the EHR server fails or refuses at logout, or is not reached, the authorization server's logout is not called.",
    ],
    '4.6-called-at-disconnect': [
      '§4.6',
      'remove_authentication cancels the authentication when the user chooses to disconnect the EHR.',
      'When the user chooses to disconnect the EHR, the client calls remove_authentication.',
    ],
    '4.6-params': [
      '§4.6',
      'The params of remove_authentication are an empty object.',
      'The params of remove_authentication are an empty object.',
    ],
    '4.6-ehr-first': [
      '§4.6',
      'Where remove_authentication is called together with a deletion, the EHR server is called first.',
      'Where remove_authentication goes along with a deletion, the EHR server is called first.',
    ],
    '4.6-auth-after-success': [
      '§4.6',
      'Where both are called at a deletion, the authorization server comes after a successful reply of the EHR server.',
      "When remove_authentication fails, is refused or does not arrive, the authorization server's deletion is not called.",
    ],
    '5.4-authenticate-no-cred': [
      '§5.4',
      'authenticate carries no cred.',
      'The client sends authenticate without a cred.',
    ],
    '5.4-removals-cred': [
      '§5.4, §4.5, §4.6',
      'The cred of both removals carries user and token of the session.',
      'The client sends both removals with the user and token it was handed at sign-in.',
    ],
    '7-client-handles-errors': [
      '§7',
      'The client must handle the errors of authenticate.',
      'The client handles each error of authenticate: it takes none for a success, and goes on.',
    ],
  }),
  ...says('client', 'SHOULD', {
    '2.5-date-form': [
      '§2.5',
      'The date has the form YYYY-MM-DD hh:mm:ss.mmm.',
      'patientProperties.date is written as YYYY-MM-DD hh:mm:ss.mmm.',
    ],
  }),
  ...says('client', 'MAY', {
    '4.6-alone': [
      '§4.6',
      'remove_authentication may be called alone, when only the EHR is to be disconnected.',
      'remove_authentication is called by itself when only the EHR is to be disconnected.',
    ],
    '4.6-with-deletion': [
      '§4.6',
      'remove_authentication may be called together with the deletion of the data of the user on the authorization server.',
      'remove_authentication is called together with the deletion of the user at the authorization server.',
    ],
  }),
];

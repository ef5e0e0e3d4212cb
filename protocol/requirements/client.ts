/** What the interface says of the client, and good practice of clients that it does not state. */
import { interfaceRows, practiceRows } from './requirement.ts';

export const interfaceClient = [
  ...interfaceRows('client', 'MUST', {
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
  ...interfaceRows('client', 'SHOULD', {
    '2.1-params-object': [
      '§2.1, §4.5, §4.6',
      'params is an object, and an empty one for both removals.',
      'Params that say nothing are an empty object, and no empty list.',
    ],
    '2.5-date-form': [
      '§2.5',
      'The date has the form YYYY-MM-DD hh:mm:ss.mmm.',
      'patientProperties.date is written as YYYY-MM-DD hh:mm:ss.mmm.',
    ],
  }),
  ...interfaceRows('client', 'MAY', {
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

export const practiceClient = [
  ...practiceRows('client', 'MUST', {
    'K-client-secrets-unseen': [
      '§1 rule 9, §2.3, §2.4',
      'somebody who looks at the screen, or at a picture of it, learns a token',
      'No screen of the client shows a session token, an exchange token or a user_sign.',
    ],
    'K-client-shows-what-is-served': [
      '§1 rule 2, §4.4',
      'somebody who takes up the device reads the record of a session that has ended, or of another patient',
      'The record on the screen is the one that the EHR server gave last to the session, and there is none after its refusal.',
    ],
    'K-client-properties-to-ehr-alone': [
      '§1 rule 3',
      'the owner of another address learns who the patient is',
      'The patient properties go to the EHR server and nowhere else, a redirect included.',
    ],
    'K-client-record-kept': [
      '§1 rule 3, §1 rule 9',
      'somebody who has taken over the authorization server reads records',
      'The client sends nothing of the record to anybody.',
    ],
    'K-client-nothing-claimed': [
      '§4.5, §4.6, §7',
      'somebody who takes up the device after a logout that was only claimed reads the record',
      'The client claims no sign-in, link, logout, disconnection or deletion that has not succeeded.',
    ],
    'K-client-forgets': [
      '§4.5, §4.6',
      'somebody who takes up the device after a logout reads the record, or goes on with the session',
      'After a logout, a disconnection or a deletion the client keeps nothing of the record and of the session that has ended.',
    ],
    'K-client-sign-of-own-link': [
      '§1 rule 9, decision 40',
      'the authorization server is handed the signature of a person who has not signed in',
      'A user_sign that the client sends is the one that the EHR server gave for the link of the very person.',
    ],
    'K-client-secrets-to-their-server': [
      '§1 rule 9, §2.4',
      'a server that is not meant to learn it can sign in with the code of the person',
      'The code of a sign-in goes to the authorization server alone.',
    ],
    'K-client-late-replies': [
      '§4.4, §4.5',
      'somebody who signs in after another person reads the record of that person',
      'A reply that comes after a logout, or after the sign-in of another person, opens and shows nothing.',
    ],
    'K-client-texts-as-texts': [
      '§2.6, §4.4',
      'somebody who writes a name into a record runs a program in the page of the patient',
      'Markup in what a server sends does nothing in the client.',
    ],
    'K-client-ends-when-asked': [
      '§4.6',
      'a person who has asked for nothing loses the link to the record, or the account',
      'The client disconnects the record or deletes the account only when the person has asked for it.',
    ],
  }),
  ...practiceRows('client', 'SHOULD', {
    'K-client-acts-once': [
      '§1, §4',
      'a person who taps twice uses up the tries of a code or of a form',
      'One action of the person makes each call once that changes something or counts as a try.',
    ],
    'K-client-survives': [
      '§7',
      'a person whose application ends at an answer can neither read nor log out',
      'Nothing that a server answers ends the client.',
    ],
    'K-client-any-server': [
      '§2.1, §2.6, §7',
      'a person is shut out by an EHR server that answers as the interface allows',
      'Ids of replies in either type, errors by number alone or without one, and members that are not known or not there stop no client.',
    ],
    'K-client-ends-former-session': [
      '§4.5',
      'somebody who has the token of the person before goes on with that session',
      'A client in which another person signs in ends the session of the one before, at both servers.',
    ],
    'K-client-errors-told': [
      '§7',
      'a person whose call failed learns neither that nor what to do',
      'Each error is told to the person in words, with a way on.',
    ],
    'K-client-form-when-needed': [
      '§1 rule 3',
      'a person gives private details to a form that leads nowhere',
      'The client asks who the patient is only when the record is refused for want of a session.',
    ],
    'K-client-exchange-token-spent': [
      '§1 rule 5',
      'a person whose exchange token has ended can never connect the record',
      'An exchange token that has expired or was refused is replaced by a new one, and not sent again.',
    ],
    'K-client-link-reported': [
      '§1 rule 6, §5.1',
      'a person has to connect the record again at the next sign-in, as the session could not be saved',
      'A link is reported to the authorization server at once, with its user_sign.',
    ],
    'K-client-sign-kept': [
      '§1 rule 7, decision 40',
      'a person who returns has to connect the record again',
      'A client that keeps the user_sign keeps it over logout, expiry and restart, and sends it with the next sign-in of its person.',
    ],
    'K-client-secrets-in-body': [
      '§2.2, §2.4',
      'somebody who reads the log of a proxy or a history learns tokens and private details',
      'No token, signature, code or patient property stands in the address or in a header of a request.',
    ],
    'K-client-typed-kept': [
      '§1',
      'a person whose code begins with a zero, or whose name has two words, never gets through',
      'What the person typed is sent as it was typed.',
    ],
    'K-client-bounded': [
      '§1',
      'one answer that stays wrong has every client call both servers without end',
      'One action of the person makes a few calls at most, whatever is answered.',
    ],
    'K-client-logs-no-secrets': [
      '§2.3, §2.4',
      'somebody who reads the logs of the device goes on with the session, or learns who the patient is',
      'Standard error, and the console of a browser, have no token, no user_sign and no value of the patient.',
    ],
    'K-client-refusals-kept': [
      '§1 rule 3, §1 rule 9',
      'somebody who has taken over the authorization server learns whether a form fits a patient',
      'The client tells the authorization server nothing of an error of authenticate.',
    ],
    'K-client-replies-of-own-calls': [
      '§2.1',
      'a person is shown what a cache or a gateway has mixed up with the answer for another one',
      'The client takes a reply only where it has the id of the call, and a result alone.',
    ],
    'K-client-ends-at-both': [
      '§4.5, §4.6',
      'somebody who has the token goes on with it at the server that was not told',
      'A logout, and a deletion of the account, end session and link at both servers.',
    ],
    'K-client-record-fresh': [
      '§4.4',
      'a person relies on a record that was corrected since',
      'When the person opens the record, it is shown as the EHR server has it now.',
    ],
  }),
];

/** What deployed clients and servers depend on. */
import { decisionRows } from './requirement.ts';

export const field = [
  ...decisionRows('field', 'ehr-server', 'SHOULD', {
    'D0-field-client-served':
      'A client in the field that sends string ids, null cred and apiKey, and reads userSign, is served unmodified.',
    'D2-rpc-is-200': 'Every outcome of a call of a client at the endpoint, errors included, is HTTP 200.',
    'D4-number-or-string': 'A request id may be a number or a string.',
    'D5-null-cred': 'A cred of null means that there is no cred.',
    'D7-credentials':
      'A configured origin may call with credentials, so its very origin is named and never a wildcard.',
    'DE-error-object': 'An error is an object with a whole number as code, and a message.',
    'DE-numbers':
      'patient.get_patient with a cred that is no live session is refused by code -33000, -33001 or -33002.',
    'DE-further-numbers':
      'Each refusal of the error table has its code: -33000 not_authorized and exchange_token_unknown, -33001 session_expired and exchange_token_expired, -33002 exchange_token_exhausted, -33403 access_forbidden, -34000 patient_already_matched, -34001 patient_not_matched, -34003 token_already_stored, -34004 exchange_token_already_stored, -34007 user_unknown, -34009 patient_already_linked.',
    'DE-json-rpc-numbers':
      'The errors of JSON-RPC 2.0 have its codes: -32700 parse_error, -32600 invalid_request, -32601 method_not_found, -32602 invalid_params, -32603 internal_error.',
    'D10-created-accepted': 'An authInfo with the member created is accepted.',
    'D16-user-sign-read': [
      'decision 16, decision 40',
      'The results of authenticate and patient.get_patient have the user signature as userSign too.',
    ],
    'D17-saves-return-id': 'Both save methods result in an object whose member id is a string.',
    'D24-gender-codes': 'gender is 0 male, 1 female, 2 other or 3 unknown.',
    'D25-date-forms': 'The date is also taken in ISO 8601 with T and Z, and with a space in place of the T.',
    'D28-phone-strategy': 'A searchStrategy of PHONE and an absent one search alike.',
    'D28-medcard-strategy':
      'With searchStrategy MEDCARD, the medCardId and the phone decide which patient fits.',
    'D29-patient-record': [
      'decision 29, decision 33',
      'The patient record has the members id, created, active, isActive, surname, middleName, name, phones, email, gender, birthdate, deceased, maritalStatus, photo, familyMembers, address, medcardNumber and insurances.',
    ],
    'D30-empty-is-absent':
      'In authenticate an empty or null searchStrategy, medCardId, middleName and email, and a null gender, mean absent.',
    'D31-phone-extension': 'An extension of a phone number, from x or ext on, makes no difference.',
    'D33-record-types':
      'A record has birthdate and created as ISO date-times, isActive, maritalStatus from 0 to 5, familyMembers of type 0 to 9 and patientId, and insurances of companyId, policyNumber and period.',
    'D39-look-alike-signs':
      'In names apostrophes are one sign, hyphens are one sign, and invisible marks count for nothing.',
  }),
  ...decisionRows('field', 'auth-server', 'SHOULD', {
    'D34-stale-link-signs-in':
      'A sign-in whose save_auth_info is refused as user_unknown or not_authorized succeeds, with a session that is not linked.',
  }),
  ...decisionRows('field', ['ehr-server', 'auth-server'], 'SHOULD', {
    'D9-ttl-minutes': 'Unless both servers are set otherwise, a ttl counts minutes, at least one.',
  }),
  ...decisionRows('field', 'client', 'SHOULD', {
    'DE-client-starts-exchange':
      'After -33001 from patient.get_patient the client shows the form, or asks for a new sign-in, and comes to the record.',
  }),
];

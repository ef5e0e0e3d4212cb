/** Good practice of EHR servers that the interface does not state. */
import { asks } from './requirement.ts';

export const practiceEhrServer = [
  ...asks('ehr-server', 'MUST', {
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
  }),
  ...asks('ehr-server', 'SHOULD', {
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

/** Good practice of authorization servers that the interface does not state, and of both servers. */
import { practiceRows } from './requirement.ts';

export const practiceAuthServer = [
  ...practiceRows('auth-server', 'MUST', {
    '5.1-secrets-not-in-clear': [
      '§5.1',
      'somebody who reads the internal channel or a log of it saves a session for every user',
      'On the internal channel the internal password and the user_sign appear nowhere but inside the digest.',
    ],
    'K-code-expires': [
      '§1 rule 8',
      'somebody who finds an old message signs in as its owner',
      'A one-time code confirms nothing after its lifetime.',
    ],
    'K-code-tries-limited': [
      '§1 rule 8',
      'somebody who knows only the phone guesses the code and signs in as its owner',
      'After a few wrong codes even the right one is refused until a new one is sent.',
    ],
    'K-code-once': [
      '§1 rule 8',
      'somebody who sees the code a moment later signs in with it as well',
      'A one-time code opens one session, however many confirmations come at the same moment.',
    ],
    'K-codes-drawn': [
      '§1 rule 8',
      'somebody who knows only the phone foretells the code and signs in as its owner',
      'A one-time code has at least four digits, is drawn for each request, and follows from nothing that others know.',
    ],
    'K-zeros-kept': [
      '§1 rule 8',
      'a user whose code begins with a zero cannot sign in',
      'A one-time code confirms as it came in the message, the zeros at its beginning included.',
    ],
    'K-code-to-named-phone': [
      '§1 rule 8',
      'somebody whose phone ends like another one is sent the codes of its owner',
      'A code goes to the very phone that the request names, its country code included.',
    ],
    'K-token-entropy': [
      '§2.3, §2.4',
      'somebody who guesses tokens takes over the session of a user',
      'Session tokens and exchange tokens carry at least 72 bits that cannot be guessed.',
    ],
    'K-session-required': [
      '§1 rule 4',
      'somebody who has not signed in obtains an exchange token for another user',
      'An exchange token is given only to the holder of a live session, and for nobody else is the EHR server called.',
    ],
    'K-session-ends': [
      '§4.5, §4.6',
      'somebody who kept the token of a session that was logged out goes on with it',
      'After a logout or a deletion the session opens nothing, and the EHR server is not called on its behalf.',
    ],
    'K-failure-survived': [
      '§4.1, §4.2',
      'a short failure of the EHR server shuts every user out until a person restarts the server',
      'After a failure of the EHR server the next attempt succeeds.',
    ],
    'K-no-redirect': [
      '§5.1',
      'somebody who has the calls redirected receives the digest and the session of a user',
      'Credentials of the internal channel follow no redirect.',
    ],
    'K-certificate-verified': [
      '§5.1',
      'somebody on the way between the servers poses as the EHR server and reads sessions and exchange tokens',
      'Over https nothing is sent to a server whose certificate comes from an unknown authority or is for another name.',
    ],
    'K-session-expires': [
      '§2.3',
      'somebody who finds an old device or an old token goes on in the name of its user',
      'After its ttl a session opens nothing, and the EHR server is not called on its behalf.',
    ],
    'K-deletion-forgets': [
      '§4.6',
      'somebody who is given the phone number of a deleted user reads the record of that one',
      'After a deletion nothing of the user is left: neither a session on any device nor the user_sign.',
    ],
    'K-internal-secrets-kept': [
      '§5.1',
      'somebody who signs in reads the internal password, or a digest that saves a session',
      'No answer to a client has the internal password or a digest of the internal channel in it.',
    ],
    'K-others-secrets-kept': [
      '§1 rule 9',
      'somebody who signs in takes over the session of another user',
      'No answer to a client has a token or a user_sign of another user in it.',
    ],
    'K-others-not-named': [
      '§1 rule 9',
      'somebody who signs in learns who else uses the service',
      'No answer to a client names the phone or the user of another person.',
    ],
    'K-code-to-phone-alone': [
      '§1 rule 8',
      'somebody who knows only the phone reads the code in the answer and signs in as its owner',
      'Before it is confirmed a one-time code is in no answer to a client.',
    ],
    'K-cookie-origins-listed': [
      '§4',
      'somebody whose page a user opens reads the tokens of that user',
      'Where a cookie names the session, no page of a foreign origin may read answers with credentials.',
    ],
    'K-token-drawn': [
      '§2.3',
      'somebody who chooses the token of a session beforehand takes it over after the sign-in',
      'The authorization server draws the token of every session itself.',
    ],
    'K-code-to-one-phone': [
      '§1 rule 8',
      'somebody who adds a phone of their own to the request receives the code of another user',
      'A one-time code is sent to one phone alone, and a request that names several gets none for all of them.',
    ],
    'K-session-of-its-own': [
      '§1 rule 6, §4.5, §4.6',
      'somebody who has a session of their own logs out, deletes or links another user, or who knows only the phone ends the sessions of its owner',
      'A report, a logout and a deletion concern the session that was verified for them, whoever is named beside it; a code that is requested or tried ends none.',
    ],
    'K-user-of-phone': [
      '§1 rule 8, §2.3',
      'somebody who signs in with a phone of their own reads the record of another user',
      'A phone is one user at every sign-in, and another phone is another user.',
    ],
    'K-not-locked-out': [
      'decision 34',
      'somebody who disconnected the record on one device can never sign in again',
      'A user whose link is gone at the EHR server can sign in, and link again; one who was linked can sign in after a restart.',
    ],
    'K-exchange-token-new': [
      '§1 rule 4, §2.4',
      'somebody who holds an exchange token of another session, or of earlier, takes up the link of a user',
      'An exchange token is given to one session alone, and no more when its ten minutes have run out.',
    ],
  }),
  ...practiceRows('auth-server', 'SHOULD', {
    'K-session-cookie': [
      '§2.3',
      'a script, or a page of another site, acts in the session of a user',
      'The cookie of a session is HttpOnly and SameSite.',
    ],
    '1-exchange-token-ehr-first': [
      '§1 rule 4',
      'a client that is quick is refused with a token that the EHR server does not know yet, and its user sees an error',
      'The EHR server has acknowledged the exchange token before the client is given it.',
    ],
    'D38-own-repeat-succeeds': [
      'decision 38',
      'a user whose reply was lost on the way is told that the link failed, and cannot mend it',
      "token_already_stored in answer to a repeat of one's own save, with the same user and token, is success.",
    ],
    'K-code-superseded': [
      '§1 rule 8',
      'somebody who saw an earlier message signs in with a code that its owner takes for dead',
      'A new one-time code makes the one sent before it useless.',
    ],
    'K-code-kept': [
      '§1 rule 8, §4.1',
      'a user who typed the right code waits for another one, because the EHR server failed for a moment',
      'A code with which a sign-in failed because of the EHR server has opened nothing, and confirms once more.',
    ],
    'K-code-pause': [
      '§1 rule 8',
      'somebody who knows only the phone floods its owner with messages',
      'A phone is sent no other code within a pause, in whatever spelling it is given; neither a sign-in nor a deletion resets it.',
    ],
    'K-code-cap': [
      '§1 rule 8',
      'somebody who knows only the phone has messages sent to it all day, at the cost of the service',
      'The number of codes sent to one phone in a day is limited.',
    ],
    'K-known-unknown-alike': [
      '§1 rule 8',
      'somebody who tries phones learns who uses the service',
      'Requests for a code, and wrong codes, are answered alike for known and for unknown phones.',
    ],
    'K-failure-told': [
      '§4.1, §4.2',
      'a user is handed a session or an exchange token that opens nothing, and does not learn why',
      'When the EHR server fails or refuses, the client is told by an error and is given nothing that the EHR server does not know.',
    ],
    'K-failure-bounded': [
      '§4.1, §4.2',
      'a user waits without end while the EHR server hangs',
      'When the EHR server hangs or breaks off, the client is answered within a bounded time.',
    ],
    'K-slow-reply-understood': [
      '§2.1',
      'a user is shut out although the EHR server has answered',
      'A reply that comes late within the timeout, or in several parts, is understood whole.',
    ],
    'K-save-reply-in-any-shape': [
      '§2.1, §4.1, §4.2',
      'every user is shut out by an EHR server that answers as the interface allows',
      'The reply to a save is success when its result is an object, be it empty or with members of its own, and its id is of either type.',
    ],
    'K-offered-coding': [
      '§4',
      'every user is shut out by an EHR server that uses a coding it was offered',
      'A reply in a content coding that the request offered by Accept-Encoding is understood.',
    ],
    'K-link-kept': [
      '§1 rule 7',
      'a user has to connect the record again after a restart or a logout',
      'What a server keeps of a link, the user id and user_sign, is whole, is kept for each user, and outlives a restart.',
    ],
    'K-repeats-bounded': [
      '§4.1, §4.2',
      'one user keeps an EHR server down that is in trouble already',
      'One step of a client causes a few calls to an EHR server in trouble at most, however many retries stand one inside another.',
    ],
    'K-tokens-in-body': [
      '§5.1',
      'somebody who reads the log of a proxy learns tokens',
      'Calls to the EHR server carry tokens in their body alone, not in path, query or headers.',
    ],
    'K-phone-not-passed-on': [
      '§1 rule 3, §2.3',
      'somebody who reads a log of the EHR server learns the phones of those who use the service',
      'Calls to the EHR server name a user by the user id alone, which is no hash of the phone.',
    ],
    'K-ehr-error-kept': [
      '§7',
      'somebody who causes an error learns from its text how the EHR server is made',
      'The text of an error of the EHR server is not handed to the client.',
    ],
    'K-nothing-by-get': [
      '§4',
      'somebody who has a user follow a link acts in the name of that user',
      'What is asked for by a POST is not done by a GET.',
    ],
    'K-exchange-token-fresh': [
      '§1 rule 4, §2.4',
      'somebody who kept an earlier exchange token of a device takes up the link that is begun on it now',
      'Each request for an exchange token is given one that was never given before.',
    ],
    'K-ttl-as-told': [
      '§2.3',
      'a user whose client believes that the session lives is refused the record',
      'A session lives as long as its client was told, and the EHR server is sent the same lifetime.',
    ],
    'K-session-ehr-first': [
      '§1 rule 6, §1 rule 7',
      'a client that is quick is refused the record with a session that is not saved yet, and its user sees the form',
      'The EHR server has acknowledged the session before the client is told that it is signed in or linked.',
    ],
    'K-missing-entry-told': [
      '§1 rule 6, §7',
      'a user who cannot be recorded believes that the record is connected, and connects it again each time',
      'The client of a user without an entry in the correspondence table is told of an error, or that there is no link.',
    ],
  }),
  ...practiceRows(['auth-server', 'ehr-server'], 'MUST', {
    'K-requests-apart': [
      '§2.3, §2.4',
      'a user is handed the session or the record of another user who calls at the same moment',
      'Requests that come at the same moment are each answered with what is their own.',
    ],
    'K-server-survives': [
      '§7',
      'somebody who sends one odd request takes the service from everybody',
      'Nothing that another party sends or answers ends the server.',
    ],
    'K-session-compared-whole': [
      '§2.3, §2.4',
      'somebody who knows a part of a token opens what it stands for',
      'A token opens something only as a whole: one that is right in part, or in another case, opens nothing.',
    ],
    'K-ended-over-restart': [
      '§1 rule 8, §2.3, §3, §4.5, §4.6',
      'somebody who kept a token or a code that has ended uses it again after a restart',
      'What has ended stays so when the server is started again: sessions, links, users, used codes and used tokens; and no session is renewed by it.',
    ],
  }),
  ...practiceRows(['auth-server', 'ehr-server'], 'SHOULD', {
    'K-output-no-secrets': [
      '§2.3, §2.4, §5.1',
      'somebody who reads the logs of a server goes on with a session, or learns who the patient is',
      'Standard output and standard error have no token, code, user_sign, digest, internal password or patient data.',
    ],
    'K-malformed-refused': [
      '§4',
      'somebody who sends odd requests fills the log with errors that hide real ones',
      'A request that cannot be understood is refused as one, and not answered as an error of the server.',
    ],
    'K-no-trace-told': [
      '§4',
      'somebody who causes an error learns from the trace how the server is made',
      'No answer to a client has a stack trace in it.',
    ],
  }),
];

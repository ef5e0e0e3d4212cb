/** What we decided for our own parties. */
import { decisionRows } from './requirement.ts';

export const decisions = [
  ...decisionRows('decision', 'ehr-server', 'MUST', {
    '4-id-as-string': [
      'decision 3, §4',
      'With replyId=string, the default, a number id comes back as a string.',
    ],
    'D1-path': 'The endpoint answers with and without the slash at the end of its path.',
    'D1-default-version': 'Unless set otherwise, the version segment is 1.0-alpha.',
    'D1-empty-version': 'With an empty version set, the endpoint is the base URL itself.',
    'D1-other-version':
      'A call to another version is answered with HTTP 404 and a JSON body that names the version served.',
    'D2-wrong-path-404': 'A request to any other path is answered with HTTP 404.',
    'D2-not-post-405':
      'A request to the endpoint that is not a POST is answered with HTTP 405 and an Allow header.',
    'D2-too-large-413': 'A body above the size limit is answered with HTTP 413.',
    'D2-not-json-415': 'A body whose content type is not application/json is answered with HTTP 415.',
    'D2-too-many-429': 'A request turned away because there are too many is answered with HTTP 429.',
    'D2-faults-have-json': 'Every transport fault carries a JSON body.',
    'D3-echo': 'With replyId=echo, the id comes back in the type it came in.',
    'D3-notification': 'A request without an id is carried out and answered with HTTP 204 and no body.',
    'D3-null-id': 'A request whose id is null is answered with the id null.',
    'D5-unknown-members':
      'Unknown members of the envelope, such as apiKey, and of params are ignored whatever their value.',
    'D5-empty-params': 'Absent params and an empty list as params both mean an empty object.',
    'D6-batch': 'A JSON-RPC batch is carried out and answered with a list of replies.',
    'D6-batch-limit':
      'A batch of 100 calls is served; one of 101 is refused and none of its calls is carried out.',
    'D7-configured-origins':
      'A browser on a configured origin may call the server, and one on any other origin may not.',
    'DE-shape': 'The data of an error has the reason by its stable name.',
    'DE-errors-list': 'data.errors, where present, lists what is wrong with the input, one sentence each.',
    'DE-parse-error': 'A body that is not JSON is refused as parse_error.',
    'DE-invalid-request':
      'JSON that is no request envelope, or an empty batch, is refused as invalid_request.',
    'DE-method-not-found': 'A method that does not exist is refused as method_not_found.',
    'DE-invalid-params': 'Parameters the method does not take are refused as invalid_params.',
    'DE-internal-error': 'A failure of the server itself is answered as internal_error.',
    'DE-not-authorized':
      'An unknown (user, token), or a wrong internal user or digest, is refused as not_authorized.',
    'DE-session-expired': 'A session whose ttl has run out is refused as session_expired.',
    'DE-exchange-token-unknown':
      'An exchange token never stored or used up already is refused as exchange_token_unknown.',
    'DE-exchange-token-expired':
      'An exchange token older than ten minutes is refused as exchange_token_expired.',
    'DE-exchange-token-exhausted':
      'An exchange token with too many failed matches is refused as exchange_token_exhausted.',
    'DE-too-many-failed-matches': [
      'decision E, decision 37',
      'An attempt of a user, or with a phone, of too many failed matches is refused as too_many_failed_matches, code -33003.',
    ],
    'DE-access-forbidden': 'An internal method on the public channel is refused as access_forbidden.',
    'DE-patient-already-matched': 'A user matched to another patient is refused as patient_already_matched.',
    'DE-patient-not-matched':
      'No fitting patient and several of them are refused alike as patient_not_matched.',
    'DE-token-already-stored': 'save_auth_info with a stored token is refused as token_already_stored.',
    'DE-exchange-token-already-stored':
      'save_exchange_token with a stored exchange token is refused as exchange_token_already_stored.',
    'DE-user-unknown': 'save_auth_info for a user without a correspondence entry is refused as user_unknown.',
    'DE-patient-already-linked': 'A patient linked to another user is refused as patient_already_linked.',
    'D8-envelope-before-method':
      'A malformed envelope is refused as such, even when it also names an unknown method.',
    'D8-method-before-cred': 'An unknown method is refused as such, even when its cred is malformed too.',
    'D8-channel-before-cred':
      'A method on the wrong channel is refused as such, even when its cred is missing or malformed too.',
    'D8-cred-shape-before-params':
      'A missing or malformed cred is refused as such, even when the params are wrong too.',
    'D8-params-before-cred-verified':
      'Wrong params are refused as such, even when a well-formed cred does not verify either.',
    'D8-cred-verified-before-method':
      'A cred that does not verify is refused as such, even when the method would have refused the call too.',
    'D9-ttl-seconds': 'With ttlUnit=seconds, a ttl counts seconds.',
    'D9-ttl-from-one': 'A ttl below 1 or not an integer is refused as invalid_params.',
    'D9-ttl-upper-bound':
      'A ttl above the configured bound, ten years in minutes by default, is refused as invalid_params.',
    'D10-own-clock':
      "Lifetimes are measured on the EHR server's own clock, from the moment of storing, whatever authInfo.created says.",
    'D11-session-boundary':
      'A session is alive up to the last millisecond before its ttl is over, and no longer alive at that instant.',
    'D11-exchange-token-boundary':
      'An exchange token works at 9:59.999 of its life and is refused at 10:00.000.',
    'D12-expired-token-taken':
      'The token of an expired session stays taken: saving it again is refused as token_already_stored.',
    'D12-purge-after-retention':
      'Expired sessions and exchange tokens are deleted once the retention time has passed.',
    'D12-purge-outside-requests': 'No request deletes expired rows; that is done apart from them.',
    'D13-failed-match-keeps-token':
      'After a failed match, the right properties still succeed with the same exchange token.',
    'D13-five-failures':
      'After five failed matches, an exchange token is refused even with the right properties.',
    'D14-first-save-records':
      'The first save_auth_info of the very user and token that authenticate stored succeeds.',
    'D14-never':
      'With recordAfterAuthenticate=never, the first save after authenticate is refused as token_already_stored.',
    'D15-sign-random': 'A user_sign is random, of at least 256 bits, written in base64url.',
    'D15-sign-per-link':
      'Each link of a user to a patient has its own user_sign, made by the first authenticate.',
    'D19-one-session':
      "remove_auth_info ends the session it is called with and leaves the user's other sessions alive.",
    'D19-link-stays':
      'After remove_auth_info the link stays: the next save_auth_info opens the same patient with the same user_sign.',
    'D21a-tokens-independent':
      'A session may have several exchange tokens pending, and what becomes of one does not touch the others.',
    'D21a-session-already-live':
      'authenticate for a session that is stored and alive succeeds and leaves that session as it is.',
    'D21a-foreign-session-at-save':
      "save_exchange_token for a token that is another user's session is refused as token_already_stored.",
    'D21a-foreign-session-at-authenticate':
      "authenticate for a token that is by now another user's session is refused as token_already_stored.",
    'D22-relogin-keeps-sign': [
      'decision 22, decision 15',
      'A linked user who authenticates again as the same patient, on any device, succeeds and keeps the user_sign.',
    ],
    'D23-required-setting': 'The setting matching.required decides which properties are required.',
    'D23-gender-optional': "gender may be left out; when sent, it must agree with the patient's.",
    'D25-date-short': 'The date is also taken without its fraction, and as the day alone.',
    'D25-day-only':
      'Only the calendar day as written is compared: neither the time of day nor a time zone moves it.',
    'D26-unicode': 'Names match across composed and decomposed Unicode.',
    'D26-spaces': 'Names match despite spaces around them and repeated spaces inside.',
    'D26-case': 'Names match in any letter case, by rules of no particular locale; i and İ are one.',
    'D26-yo': 'In names ё and е are the same letter.',
    'D27-phone-punctuation': 'Spaces, plus, dashes, brackets and dots in a phone number make no difference.',
    'D27-each-phone': 'A patient is found by each phone of the record, not by the first alone.',
    'D27-leading-eight': 'A Russian number of 11 digits that starts with 8 equals the same number with 7.',
    'D35-method-names':
      'The methods are named embedded_storage.*; the names auth.* of the published description are not served.',
    'D36-five-pending':
      'Of the unexpired exchange tokens of a session the newest five work: a sixth ends the oldest.',
    'D37-counted-per-user':
      'After 20 failed matches of one user within an hour, authenticate is refused for the user, with any exchange token.',
    'D37-counted-per-phone':
      'After 20 failed matches with one phone within an hour, authenticate is refused for the phone, whoever asks.',
    'D37-setting': 'How many failed matches an hour allows is a setting.',
    'D37-medcard-off':
      'With --medcard off a search by MEDCARD is refused as invalid_params, and other searches go on.',
    'X-ijson':
      'A message with duplicate member names, unpaired surrogates, a member named __proto__ or nesting beyond 32 levels is refused as invalid_request.',
    'X-internal-listener': 'Client methods on the internal listener are refused as access_forbidden.',
  }),
  ...decisionRows('decision', 'auth-server', 'MUST', {
    'D34-stale-sign-forgotten':
      'The authorization server forgets a signature on its record that the EHR server has refused so: the next sign-in sends none.',
    'D38-clash-draws-anew': 'token_already_stored at a new sign-in is a clash: a new session token is drawn.',
    'DA-endpoint': 'The mock authorization server answers JSON-RPC 2.0 calls posted to its root path.',
    'DA-cors':
      'A browser on a configured origin may call the mock authorization server with credentials, and no other may.',
    'DA-test-login':
      'With --allow-test-login, auth.login with a user and perhaps ehr_user_sign results in authInfo, without a code.',
    'DA-test-login-off': 'Without --allow-test-login, there is no method auth.login.',
    'DA-exchange-token-array-params': 'auth.exchange_token is carried out when its params are an empty list.',
    'DA-outbox':
      'GET /outbox?to=PHONE lists the messages sent to that phone as to, text, code and at, newest first.',
    'DA-outbox-wait':
      'With wait=SECONDS the outbox answers at once when it has a message, else as soon as one comes.',
    'DA-outbox-page': 'A page shows the messages of the outbox as they arrive.',
  }),
  ...decisionRows('decision', ['auth-server', 'ehr-server'], 'MUST', {
    'DA-internal-credentials':
      'Both servers read the internal user and password as UTF-8 from EHR_INTERNAL_USER and EHR_INTERNAL_PASSWORD.',
  }),
  ...decisionRows('decision', 'client', 'MUST', {
    'DE-client-form-when-expired':
      'The client shows the form on -33001 and -33002 from patient.get_patient, too.',
  }),
  ...decisionRows('decision', 'client', 'SHOULD', {
    'D34-client-forgets-too':
      'A client whose sign-in with a kept user_sign ends unlinked forgets it, and tells the user without an error.',
  }),
];

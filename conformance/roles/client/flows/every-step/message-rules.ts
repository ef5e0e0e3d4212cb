/** Rules of each message: the form of a call, and where secrets may go. `‹code 1›` stands for a masked value. */
import type { Check } from '../../../../engine/check/check.ts';
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { EHR_METHODS, REMOVALS } from '../../servers/calls.ts';
import { anyCall, calls, carried, EVERY_CALL, made, messageRule, noted, to } from './rule.ts';

const sends =
  (member: string) =>
  ({ request }: Pick<ExchangeEntry, 'request'>): boolean =>
    new RegExp(`"${member}"\\s*:\\s*(?!null)\\S`).test(request.body);

const AUTHENTICATE = calls(EHR_METHODS.authenticate);

const callRules: readonly Check[] = [
  messageRule('post-of-json', to('ehr'), {
    title: 'Every call of the EHR server is an HTTP POST whose body is one JSON object',
    requirements: ['4-post-json'],
    judge: noted('post-json', 'POST, and one JSON object'),
    advice: 'Send POST with one JSON object; count the length of the body in bytes.',
  }),
  messageRule('version-in-path', to('ehr'), {
    title: 'Calls go to the base URL of the EHR server, directly followed by the version segment',
    requirements: ['9-version-in-path'],
    judge: noted('path', 'the path /1.0-alpha/'),
    advice: 'Append the version segment and a slash to the base URL.',
  }),
  messageRule('jsonrpc-member', to('ehr'), {
    title: 'Every call of the EHR server has the member jsonrpc with the string 2.0',
    requirements: ['2.1-jsonrpc-sent'],
    judge: noted('envelope', '"jsonrpc": "2.0"'),
    advice: 'Send jsonrpc as the string "2.0".',
  }),
  messageRule('ids-of-calls', to('ehr'), {
    title: 'Every call of the EHR server has an id',
    requirements: ['2.1-id-sent'],
    judge: noted('id', 'an id, as a number or a text'),
    advice: 'Count the calls, or draw a random id for each.',
  }),
  messageRule('methods-are-texts', to('ehr'), {
    title: 'Every call of the EHR server names its method as a text',
    requirements: ['2.1-method-sent'],
    judge: noted('method-text', 'method as a text'),
    advice: 'Send the name of the operation in the member method.',
  }),
  messageRule('methods-of-clients', anyCall, {
    title: 'The client calls no method of the internal channel, and authenticate at the EHR server alone',
    requirements: ['4.1-internal-channel', '4.2-internal-channel', '4.3-caller'],
    control: made(EHR_METHODS.authenticate),
    explains: ['no-match-keeps-form', 'form-after-refusal', 'exchange-token-first', 'params-of-authenticate'],
    judge: noted('method', 'the methods of the interface for a client, each at its server'),
    advice:
      'save_auth_info and save_exchange_token are for the authorization server; the client has the others.',
  }),
  messageRule('params-by-name', to('ehr'), {
    title: 'The parameters of a call of the EHR server stand in the member params, by name',
    requirements: ['2.1-params-sent'],
    judge: noted('params', 'params is an object, or left out where there is nothing to say'),
    advice: 'Send params as an object; {} where there is nothing to say.',
  }),
  messageRule('empty-params-as-object', to('ehr'), {
    title: 'Params of a call of the EHR server that say nothing are no empty list',
    requirements: ['2.1-params-object'],
    judge: noted('params-form', 'params: {}'),
    advice: 'Send params: {}; not every EHR server takes [].',
  }),
  messageRule('authenticate-without-cred', AUTHENTICATE, {
    title: 'The client sends authenticate without a cred',
    requirements: ['5.4-authenticate-no-cred'],
    judge: noted('no-cred', 'no cred: the exchange token says for whom it is'),
    advice: 'Leave cred out of authenticate.',
  }),
  messageRule('params-of-authenticate', AUTHENTICATE, {
    title:
      'The params of authenticate have the exchangeToken as a text, and the patientProperties as an object',
    requirements: ['4.3-params', '2.4-parameter-name'],
    judge: noted('authenticate-params', 'exchangeToken as text, patientProperties as object'),
    advice: 'Send { exchangeToken, patientProperties: { … } }.',
  }),
  messageRule('exchange-token-as-given', AUTHENTICATE, {
    title: 'The exchange token of authenticate is one that the authorization server gave to this session',
    requirements: ['2.4-parameter-name', '1-exchange-token-requested'],
    scenarios: ['exchange-token-of-each-person', ...EVERY_CALL],
    judge: noted('exchange-token', 'the text of auth.exchange_token, unchanged'),
    advice: 'Send the exchange token as it came.',
  }),
  messageRule('user-sign-as-given', calls('auth.report_link'), {
    title: 'A user_sign in the report of a link is one that the EHR server gave',
    requirements: ['1-auth-told-of-link'],
    nothing: { notApplicable: 'the client made no such call' },
    judge: noted('user-sign', 'the user_sign of the EHR server, unchanged'),
    advice: 'Send user_sign as it came from authenticate or get_patient.',
  }),
  messageRule('user-sign-of-sign-in-as-given', calls('auth.confirm_otp'), {
    title: 'The user_sign that goes along with a sign-in is one that the EHR server gave',
    requirements: ['K-client-sign-of-own-link'],
    scenarios: ['signs-of-each-person', ...EVERY_CALL],
    // A watched client may have a user_sign of another run.
    watchable: false,
    judge: noted('user-sign-unknown', 'the user_sign of the EHR server, unchanged'),
    control: carried(({ request }) => request.body.includes('ehr_user_sign')),
    advice: 'Send user_sign as it came from authenticate or get_patient.',
  }),
  messageRule('user-sign-of-own-link', calls('auth.confirm_otp'), {
    title:
      'The user_sign that goes along with a sign-in is that of the person and of a link that is not over',
    requirements: ['K-client-sign-of-own-link'],
    scenarios: [
      'signs-of-each-person',
      'disconnect-forgets',
      'unlinked-sign-in-leads-to-form',
      'deletion-forgets',
      ...EVERY_CALL,
    ],
    judge: noted('user-sign-of-person', 'the newest user_sign of this phone, or none'),
    control: carried(({ request }) => request.body.includes('‹user-sign ')),
    advice:
      'Keep the user_sign under the phone of its person; replace it at a new link, delete it with its link.',
  }),
  messageRule('names-as-typed', AUTHENTICATE, {
    title: 'Name and surname, where they are sent, are those that were typed',
    requirements: ['2.5-names'],
    scenarios: ['names-of-several-words', ...EVERY_CALL],
    watchable: false,
    judge: noted('names', 'the texts of the form'),
    control: carried(sends('(?:sur)?name')),
    advice: 'Send the texts of the form unchanged, in UTF-8.',
  }),
  messageRule('date-of-birth-as-typed', AUTHENTICATE, {
    title: 'The date of birth, where it is sent, is the day that was typed, in a form that is read',
    requirements: ['2.5-date'],
    // The people of both were born on either side of UTC, in the zone of the kit.
    scenarios: ['signs-of-each-person', ...EVERY_CALL],
    watchable: false,
    judge: noted('date', 'such as 1985-04-12 00:00:00.000, and the day that was typed'),
    control: carried(sends('date')),
    advice: 'Write the day as it was typed, followed by 00:00:00.000: no time zone may shift it.',
  }),
  messageRule('date-of-birth-in-full-form', AUTHENTICATE, {
    title: 'The date of birth is written as YYYY-MM-DD hh:mm:ss.mmm',
    requirements: ['2.5-date-form'],
    judge: noted('date-form', 'such as 1985-04-12 00:00:00.000'),
    control: carried(sends('date')),
    advice:
      'Write the time in full, with milliseconds, and without T and Z: not every EHR server takes another form.',
  }),
  messageRule('phone-in-digits', AUTHENTICATE, {
    title: 'The phone, where it is sent, is the one that was typed, as a string of digits',
    requirements: ['2.5-phone'],
    scenarios: ['phone-as-people-write-it', ...EVERY_CALL],
    watchable: false,
    judge: noted('phone', 'a string of digits'),
    control: carried(sends('phone')),
    advice: 'Remove an extension, and then everything but the digits; send a string.',
  }),
  messageRule('gender-as-code', AUTHENTICATE, {
    title: 'The gender, where it is sent, is a whole number',
    requirements: ['2.5-gender'],
    watchable: false,
    judge: noted('gender', 'a whole number'),
    control: carried(sends('gender')),
    advice: 'Send the number of the gender, or leave the member out.',
  }),
  messageRule('removals-without-params', calls(...REMOVALS), {
    title: 'The params of both removals are an empty object',
    requirements: ['4.5-params', '4.6-params'],
    control: made(EHR_METHODS.logOut),
    judge: noted('removal-params', 'params: {}'),
    advice: 'Send params: {}; cred says whose session it is.',
  }),
];

const OF_SESSION = [EHR_METHODS.read, ...REMOVALS, 'auth.exchange_token', 'auth.report_link', 'auth.logout'];
/** Calls that every client makes in some scenario: without them there is too little to judge. */
const BY_EVERY_CLIENT = [EHR_METHODS.read, 'auth.exchange_token', EHR_METHODS.authenticate];

function patientDataOf(
  { patientData = [] }: ExchangeEntry['facts'],
  isOfRecord: boolean,
): string | undefined {
  const found = patientData.filter((each) => OF_RECORD.test(each) === isOfRecord);
  return found.length > 0 ? found.join('; ') : undefined;
}
const OF_RECORD = /of the record|medical card/;

export const messageRules: readonly Check[] = [
  messageRule('no-patient-data-to-auth-server', to('auth'), {
    title: 'Nothing that was typed into the form reaches the authorization server',
    requirements: ['1-properties-not-to-auth', '1-properties-straight-to-ehr'],
    control: made(...BY_EVERY_CLIENT),
    wrong: ({ facts }) => patientDataOf(facts, false),
    expected: 'no value of the patient: plain, encoded or hashed',
    advice: 'Send patient properties in authenticate alone, and to the EHR server alone.',
  }),
  messageRule('code-to-auth-server-alone', to('ehr'), {
    title: 'The client hands the code of the sign-in to the authorization server, and to nobody else',
    requirements: ['K-client-secrets-to-their-server'],
    judge: noted('code', 'the code in auth.confirm_otp alone'),
    advice: 'Send the code to the authorization server alone.',
  }),
  messageRule('code-as-typed', calls('auth.confirm_otp'), {
    title: 'The code of the sign-in is sent as it was typed, as a text',
    requirements: ['K-client-typed-kept'],
    watchable: false,
    judge: noted('code-typed', 'the text that the person typed, with its leading zeros'),
    advice: 'A code is a text: as a number it loses its leading zeros.',
  }),
  messageRule('no-secrets-in-addresses', anyCall, {
    title: 'No token, signature, code or value of the patient stands in the address of a request',
    requirements: ['K-client-secrets-in-body'],
    wrong: ({ request }) => {
      const secret = /‹([a-z-]+) \d+›/.exec(request.path)?.[1];
      if (secret !== undefined) return `the address has a value: ${secret}`;
      return request.path.includes('?') ? 'the address has a query' : undefined;
    },
    expected: 'addresses without any value',
    advice: 'Send values in the body: addresses are kept in logs and histories.',
  }),
  messageRule('no-secrets-in-headers', anyCall, {
    title: 'No token, signature, code or value of the patient stands in a header of a request',
    requirements: ['K-client-secrets-in-body'],
    wrong: ({ request }) => {
      // `opaque` masks a random text of unknown meaning, such as a number by which a request is traced.
      const found = request.headers.find(
        ([name, value]) =>
          name.toLowerCase() === 'authorization' || /‹(?!opaque)[a-z-]+ \d+›|‹removed/.test(value),
      );
      return found && `the header ${found[0]} has a secret`;
    },
    expected: 'headers without any secret',
    advice: 'The credentials of a call stand in cred; leave them out of headers and cookies.',
  }),
  messageRule('no-record-to-auth-server', to('auth'), {
    title: 'Nothing of the record reaches the authorization server',
    requirements: ['K-client-record-kept'],
    control: made(...BY_EVERY_CLIENT),
    wrong: ({ facts }) => patientDataOf(facts, true),
    expected: 'no value of the record: plain, encoded or hashed',
    advice: 'Keep the record on the device; the authorization server needs nothing of it.',
  }),
  messageRule('refusals-not-to-auth-server', to('auth'), {
    title: 'What the EHR server says of a form does not reach the authorization server',
    requirements: ['K-client-refusals-kept'],
    scenarios: ['no-match-keeps-form', 'errors-of-authenticate-told', ...EVERY_CALL],
    control: made(...BY_EVERY_CLIENT),
    judge: noted('ehr-words', 'no message, reason or number of an error of authenticate'),
    advice:
      'Keep what the EHR server answers on the device: the authorization server needs the user_sign alone.',
  }),
  messageRule('ended-values-not-sent-again', calls('auth.confirm_otp', ...OF_SESSION), {
    title: 'A code that has opened a session, and a session that is over, are not sent again',
    requirements: ['K-client-forgets'],
    scenarios: ['logout-forgets', 'deletion-forgets', 'replayed-sign-in-refused', ...EVERY_CALL],
    judge: noted('over', 'no call with a code or a session that is used up'),
    advice:
      'Forget a code when auth.confirm_otp has succeeded, and a session when both servers have ended it.',
  }),
  messageRule('cred-of-newest-session', calls(...REMOVALS), {
    title: 'Both removals have the user and the token of the newest sign-in as cred',
    requirements: ['2.1-cred-sent', '2.2-user-names-caller', '5.4-removals-cred'],
    control: made(EHR_METHODS.logOut),
    judge: noted('cred', 'cred: { user, token } as auth.confirm_otp gave them'),
    advice: 'Keep user and token of authInfo together, and replace both at the next sign-in.',
    explains: ['ended-values-not-sent-again', 'exchange-token-of-each-person'],
  }),
  ...callRules,
];

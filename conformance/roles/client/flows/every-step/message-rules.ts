/** Rules of each message: the form of a call, and where secrets may go. `‹code 1›` stands for a masked value. */
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { EHR_METHODS, REMOVALS } from '../../servers/calls.ts';
import { calls, isCall, type MessageCheck, on } from './rules.ts';

const sends =
  (member: string) =>
  ({ request }: Pick<ExchangeEntry, 'request'>): boolean =>
    new RegExp(`"${member}"\\s*:\\s*(?!null)\\S`).test(request.body);

const AUTHENTICATE = calls(EHR_METHODS.authenticate);

const callRules: readonly MessageCheck[] = [
  {
    id: 'post-of-json',
    title: 'Every call of the EHR server is an HTTP POST whose body is one JSON object',
    requirements: ['4-post-json'],
    of: on('client->ehr'),
    breaks: 'post-json',
    expected: 'POST, and one JSON object',
    advice: 'Send POST with one JSON object; count the length of the body in bytes.',
  },
  {
    id: 'version-in-path',
    title: 'Calls go to the base URL of the EHR server, directly followed by the version segment',
    requirements: ['9-version-in-path'],
    of: on('client->ehr'),
    breaks: 'path',
    expected: 'the path /1.0-alpha/',
    advice: 'Append the version segment and a slash to the base URL.',
  },
  {
    id: 'jsonrpc-member',
    title: 'Every call of the EHR server has the member jsonrpc with the string 2.0',
    requirements: ['2.1-jsonrpc-sent'],
    of: on('client->ehr'),
    breaks: 'envelope',
    expected: '"jsonrpc": "2.0"',
    advice: 'Send jsonrpc as the string "2.0".',
  },
  {
    id: 'ids-of-calls',
    title: 'Every call of the EHR server has an id',
    requirements: ['2.1-id-sent'],
    of: on('client->ehr'),
    breaks: 'id',
    expected: 'an id, as a number or a text',
    advice: 'Count the calls, or draw a random id for each.',
  },
  {
    id: 'methods-are-texts',
    title: 'Every call of the EHR server names its method as a text',
    requirements: ['2.1-method-sent'],
    of: on('client->ehr'),
    breaks: 'method-text',
    expected: 'method as a text',
    advice: 'Send the name of the operation in the member method.',
  },
  {
    id: 'methods-of-clients',
    title: 'The client calls no method of the internal channel, and authenticate at the EHR server alone',
    requirements: ['4.1-internal-channel', '4.2-internal-channel', '4.3-caller'],
    of: isCall,
    needs: [EHR_METHODS.authenticate],
    breaks: 'method',
    expected: 'no save, and no authenticate for the authorization server',
    advice:
      'save_auth_info and save_exchange_token are for the authorization server; the client has the others.',
  },
  {
    id: 'params-by-name',
    title: 'The parameters of a call of the EHR server stand in the member params, by name',
    requirements: ['2.1-params-sent'],
    of: on('client->ehr'),
    breaks: 'params',
    expected: 'params is an object, or left out where there is nothing to say',
    advice: 'Send params as an object; {} where there is nothing to say.',
  },
  {
    id: 'authenticate-without-cred',
    title: 'The client sends authenticate without a cred',
    requirements: ['5.4-authenticate-no-cred'],
    of: AUTHENTICATE,
    breaks: 'no-cred',
    expected: 'no cred: the exchange token says for whom it is',
    advice: 'Leave cred out of authenticate.',
  },
  {
    id: 'params-of-authenticate',
    title:
      'The params of authenticate have the exchangeToken as a text, and the patientProperties as an object',
    requirements: ['4.3-params', '2.4-parameter-name'],
    of: AUTHENTICATE,
    breaks: 'authenticate-params',
    expected: 'exchangeToken as text, patientProperties as object',
    advice: 'Send { exchangeToken, patientProperties: { … } }.',
  },
  {
    id: 'exchange-token-as-given',
    title: 'The exchange token of authenticate is one that the authorization server gave to this session',
    requirements: ['2.4-parameter-name', '1-exchange-token-requested'],
    of: AUTHENTICATE,
    alsoIn: ['exchange-token-of-each-person'],
    breaks: 'exchange-token',
    expected: 'the text of auth.exchange_token, unchanged',
    advice: 'Send the exchange token as it came.',
  },
  {
    id: 'user-sign-as-given',
    title: 'A user_sign in the report of a link is one that the EHR server gave',
    requirements: ['1-auth-told-of-link'],
    of: calls('auth.report_link'),
    isOptional: true,
    breaks: 'user-sign',
    expected: 'the user_sign of the EHR server, unchanged',
    advice: 'Send user_sign as it came from authenticate or get_patient.',
  },
  {
    id: 'user-sign-of-sign-in-as-given',
    title: 'The user_sign that goes along with a sign-in is one that the EHR server gave',
    requirements: ['K-client-sign-of-own-link'],
    of: calls('auth.confirm_otp'),
    alsoIn: ['signs-of-each-person'],
    // A watched client may have a user_sign of another run.
    isOfTyped: true,
    breaks: 'user-sign-unknown',
    carries: ({ request }) => request.body.includes('ehr_user_sign'),
    expected: 'the user_sign of the EHR server, unchanged',
    advice: 'Send user_sign as it came from authenticate or get_patient.',
  },
  {
    id: 'user-sign-of-own-link',
    title:
      'The user_sign that goes along with a sign-in is that of the person and of a link that is not over',
    requirements: ['K-client-sign-of-own-link'],
    of: calls('auth.confirm_otp'),
    alsoIn: [
      'signs-of-each-person',
      'disconnect-forgets',
      'unlinked-sign-in-leads-to-form',
      'deletion-forgets',
    ],
    breaks: 'user-sign-of-person',
    carries: ({ request }) => request.body.includes('‹user-sign '),
    expected: 'the newest user_sign of this phone, or none',
    advice:
      'Keep the user_sign under the phone of its person; replace it at a new link, delete it with its link.',
  },
  {
    id: 'names-as-typed',
    title: 'Name and surname, where they are sent, are those that were typed',
    requirements: ['2.5-names'],
    of: AUTHENTICATE,
    alsoIn: ['names-of-several-words'],
    isOfTyped: true,
    breaks: 'names',
    carries: sends('(?:sur)?name'),
    expected: 'the texts of the form',
    advice: 'Send the texts of the form unchanged, in UTF-8.',
  },
  {
    id: 'date-of-birth-as-typed',
    title: 'The date of birth, where it is sent, is the day that was typed, in a form that is read',
    requirements: ['2.5-date'],
    of: AUTHENTICATE,
    isOfTyped: true,
    breaks: 'date',
    carries: sends('date'),
    expected: 'such as 1985-04-12 00:00:00.000, and the day that was typed',
    advice: 'Write the day as it was typed, followed by 00:00:00.000; do not turn it into UTC.',
  },
  {
    id: 'date-of-birth-in-full-form',
    title: 'The date of birth is written as YYYY-MM-DD hh:mm:ss.mmm',
    requirements: ['2.5-date-form'],
    of: AUTHENTICATE,
    breaks: 'date-form',
    carries: sends('date'),
    expected: 'such as 1985-04-12 00:00:00.000',
    advice:
      'Write the time in full, with milliseconds, and without T and Z: not every EHR server takes another form.',
  },
  {
    id: 'phone-in-digits',
    title: 'The phone, where it is sent, is the one that was typed, as a string of digits',
    requirements: ['2.5-phone'],
    of: AUTHENTICATE,
    alsoIn: ['phone-as-people-write-it'],
    isOfTyped: true,
    breaks: 'phone',
    carries: sends('phone'),
    expected: 'a string of digits',
    advice: 'Remove everything but the digits, and send a string.',
  },
  {
    id: 'gender-as-code',
    title: 'The gender, where it is sent, is a whole number',
    requirements: ['2.5-gender'],
    of: AUTHENTICATE,
    isOfTyped: true,
    breaks: 'gender',
    carries: sends('gender'),
    expected: 'a whole number',
    advice: 'Send the number of the gender, or leave the member out.',
  },
  {
    id: 'removals-without-params',
    title: 'The params of both removals are an empty object',
    requirements: ['4.5-params', '4.6-params'],
    of: calls(...REMOVALS),
    needs: [EHR_METHODS.logOut],
    breaks: 'removal-params',
    expected: 'params: {}',
    advice: 'Send params: {}; cred says whose session it is.',
  },
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

export const messageRules: readonly MessageCheck[] = [
  {
    id: 'no-patient-data-to-auth-server',
    title: 'Nothing that was typed into the form reaches the authorization server',
    requirements: ['1-properties-not-to-auth', '1-properties-straight-to-ehr'],
    of: on('client->auth'),
    needs: BY_EVERY_CLIENT,
    breaks: ({ facts }) => patientDataOf(facts, false),
    expected: 'no value of the patient: plain, encoded or hashed',
    advice: 'Send patient properties in authenticate alone, and to the EHR server alone.',
  },
  {
    id: 'code-to-auth-server-alone',
    title: 'The client hands the code of the sign-in to the authorization server, and to nobody else',
    requirements: ['K-client-secrets-to-their-server'],
    of: on('client->ehr'),
    breaks: 'code',
    expected: 'the code in auth.confirm_otp alone',
    advice: 'Send the code to the authorization server alone.',
  },
  {
    id: 'code-as-typed',
    title: 'The code of the sign-in is sent as it was typed, as a text',
    requirements: ['K-client-typed-kept'],
    of: calls('auth.confirm_otp'),
    isOfTyped: true,
    breaks: 'code-typed',
    expected: 'the text that the person typed, with its leading zeros',
    advice: 'A code is a text: as a number it loses its leading zeros.',
  },
  {
    id: 'no-secrets-in-addresses',
    title: 'No token, signature, code or value of the patient stands in the address of a request',
    requirements: ['K-client-secrets-in-body'],
    of: isCall,
    breaks: ({ request }) => {
      const secret = /‹([a-z-]+) \d+›/.exec(request.path)?.[1];
      if (secret !== undefined) return `the address has a value: ${secret}`;
      return request.path.includes('?') ? 'the address has a query' : undefined;
    },
    expected: 'addresses without any value',
    advice: 'Send values in the body: addresses are kept in logs and histories.',
  },
  {
    id: 'no-secrets-in-headers',
    title: 'No token, signature, code or value of the patient stands in a header of a request',
    requirements: ['K-client-secrets-in-body'],
    of: isCall,
    breaks: ({ request }) => {
      // `opaque` masks a random text of unknown meaning, such as a number by which a request is traced.
      const found = request.headers.find(
        ([name, value]) =>
          name.toLowerCase() === 'authorization' || /‹(?!opaque)[a-z-]+ \d+›|‹removed/.test(value),
      );
      return found && `the header ${found[0]} has a secret`;
    },
    expected: 'headers without any secret',
    advice: 'The credentials of a call stand in cred; leave them out of headers and cookies.',
  },
  {
    id: 'no-record-to-auth-server',
    title: 'Nothing of the record reaches the authorization server',
    requirements: ['K-client-record-kept'],
    of: on('client->auth'),
    needs: BY_EVERY_CLIENT,
    breaks: ({ facts }) => patientDataOf(facts, true),
    expected: 'no value of the record: plain, encoded or hashed',
    advice: 'Keep the record on the device; the authorization server needs nothing of it.',
  },
  {
    id: 'refusals-not-to-auth-server',
    title: 'What the EHR server says of a form does not reach the authorization server',
    requirements: ['K-client-refusals-kept'],
    of: on('client->auth'),
    alsoIn: ['no-match-keeps-form', 'errors-of-authenticate-told'],
    needs: BY_EVERY_CLIENT,
    breaks: 'ehr-words',
    expected: 'no message, reason or number of an error of authenticate',
    advice:
      'Keep what the EHR server answers on the device: the authorization server needs the user_sign alone.',
  },
  {
    id: 'ended-values-not-sent-again',
    title: 'A code that has opened a session, and a session that is over, are not sent again',
    requirements: ['K-client-forgets'],
    of: calls('auth.confirm_otp', ...OF_SESSION),
    alsoIn: ['logout-forgets', 'deletion-forgets', 'replayed-sign-in-refused'],
    breaks: 'over',
    expected: 'no call with a code or a session that is used up',
    advice:
      'Forget a code when auth.confirm_otp has succeeded, and a session when both servers have ended it.',
  },
  {
    id: 'cred-of-newest-session',
    title: 'Both removals have the user and the token of the newest sign-in as cred',
    requirements: ['2.1-cred-sent', '2.2-user-names-caller', '5.4-removals-cred'],
    of: calls(...REMOVALS),
    needs: [EHR_METHODS.logOut],
    breaks: 'cred',
    expected: 'cred: { user, token } as auth.confirm_otp gave them',
    advice: 'Keep user and token of authInfo together, and replace both at the next sign-in.',
    explains: ['ended-values-not-sent-again', 'exchange-token-of-each-person'],
  },
  ...callRules,
];

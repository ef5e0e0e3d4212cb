/** Where secrets and patient data may go. In a masked message `‹code 1›` stands for a value. */
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { EHR_METHODS, REMOVALS } from '../../servers/calls.ts';
import { callRules } from './call-rules.ts';
import { calls, isCall, type MessageCheck, on } from './rules.ts';

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

/**
 * Rules that the params and the cred of a client's calls must keep (§2.5, §4.3, §4.5, §4.6, §5.4). `breaks`
 * names the rule that the kit applied when the message came. `alsoIn` lists scenarios that show the rule
 * especially well.
 */
import type { ExchangeEntry } from '../../../../engine/journal/entry.ts';
import { EHR_METHODS, REMOVALS } from '../../servers/calls.ts';
import { calls, type MessageCheck } from './rules.ts';

/** Selects calls that send a member with a value. */
const sends =
  (member: string) =>
  ({ request }: Pick<ExchangeEntry, 'request'>): boolean =>
    new RegExp(`"${member}"\\s*:\\s*(?!null)\\S`).test(request.body);

/** Whether a call sends a gender that has a value. */
export const hasGender = sends('gender');

const AUTHENTICATE = calls(EHR_METHODS.authenticate);

/** The rules of single methods; the rules of every message stand in message-rules.ts. */
export const paramsRules: readonly MessageCheck[] = [
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
    id: 'search-strategy-known',
    title: 'A search strategy, where one is named, is PHONE, or MEDCARD with a medCardId',
    requirements: ['D28-client-search'],
    of: AUTHENTICATE,
    breaks: 'search',
    carries: ({ request }) => request.body.includes('searchStrategy'),
    expected: 'no searchStrategy, PHONE, or MEDCARD with a medCardId',
    advice: 'Leave searchStrategy out, or send it as the interface is deployed.',
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
    id: 'report-with-user-sign',
    title: 'The report of a link has a user_sign',
    requirements: ['K-client-link-reported'],
    of: calls('auth.report_link'),
    isOptional: true,
    breaks: 'user-sign-left-out',
    expected: 'user_sign among the params',
    advice: 'Send the user_sign of authenticate along: the save of the session needs it.',
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
    id: 'exchange-token-used-once',
    title: 'An exchange token that an answer has ended is not sent again',
    requirements: ['K-client-exchange-token-spent'],
    of: AUTHENTICATE,
    alsoIn: ['exchange-token-renewed', 'errors-of-authenticate-told', 'disconnect-alone'],
    breaks: 'exchange-token-spent',
    expected: 'another exchange token after a success, and after -33000, -33001 or -33002',
    advice: 'Forget the exchange token as soon as authenticate has succeeded or has refused it.',
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
    id: 'user-sign-to-auth-server-alone',
    title: 'The user_sign goes to the authorization server alone, and not back to the EHR server',
    requirements: ['K-client-members-of-method'],
    of: calls(...Object.values(EHR_METHODS)),
    breaks: 'user-sign-to-ehr',
    expected: 'no user_sign among the params of the EHR server',
    advice: 'The EHR server made the user_sign; its methods take none.',
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
    carries: hasGender,
    expected: 'a whole number',
    advice: 'Send the number of the gender, or leave the member out.',
  },
  {
    id: 'gender-as-chosen',
    title: 'The gender, where it is sent, is the code from 0 to 3 of what was chosen',
    requirements: ['D24-client-gender-codes'],
    of: AUTHENTICATE,
    isOfTyped: true,
    breaks: 'gender-code',
    carries: hasGender,
    expected: '0 male, 1 female, 2 other or 3 unknown',
    advice: 'Send the code of the choice, or leave the member out where none was made.',
  },
  {
    id: 'properties-complete',
    title: 'authenticate has name, surname, date and phone',
    requirements: ['D23-client-sends-all'],
    of: AUTHENTICATE,
    breaks: 'properties',
    expected: 'all four',
    advice: 'Send all four: our EHR server requires them unless it is configured otherwise.',
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

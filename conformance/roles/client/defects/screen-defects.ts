/** Clients with something on the screen that must not be there. */
import { type ClientDefect, defect } from './defect.ts';

const SECRET = 'no-secrets-on-screens';
const VALUES = 'record-values-as-served';
const RAW = 'no-texts-of-programs-on-screens';

export const screenDefects: readonly ClientDefect[] = [
  defect('form-shown-for-record', 'It shows what was typed as the record', 'record-not-as-typed'),
  defect('typed-names-over-record', 'It shows the record with the names that were typed', 'record-not-as-typed'),
  defect('first-record-shown-for-ever', 'It shows the first record it got, whatever comes later', 'record-read-anew'),
  defect('record-not-asked-for-again', 'It asks for the record once, and shows that one', 'record-read-anew'),
  defect('record-kept-at-refusal', 'It shows the record beside the form after a refusal', 'record-shown-is-served'),
  defect(
    'record-of-person-before',
    'It shows the record of the person before until the next one has their own',
    'record-shown-is-served',
    'AakashRathore136/FinSight-AI#231',
  ),
  defect('token-on-screen', 'It shows the session token beside an error', SECRET),
  defect('signature-on-screen', 'It shows the user_sign beside the record', SECRET),
  defect('exchange-token-on-screen', 'It shows the exchange token', SECRET),
  defect('number-beside-words', 'It shows the number of an error beside words', RAW),
  defect('reason-beside-words', 'It shows the name of a reason beside words', RAW),
  defect('reply-beside-words', 'It shows the JSON of a reply beside words', RAW),
  defect('undefined-on-record', 'It shows "undefined" in the record', RAW),
  defect('birthdate-shown-a-day-before', 'It shows the date of birth in another time zone', VALUES),
  defect('gender-shown-by-another-number', 'It shows another gender', VALUES),
  defect('gaps-filled-from-record-before', 'It fills what a record lacks from the record before', VALUES),
  defect('signature-among-record', 'It shows the user_sign among the record', 'no-secrets-in-record'),
  defect('exception-beside-words', 'It shows the name of an exception beside words', RAW),
  defect('page-of-gateway-shown', 'It shows the HTML of a gateway beside words', RAW),
];

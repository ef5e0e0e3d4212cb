/** Clients with one defect each, and differences that no check may report. */
import { behaviourDefects } from './behaviour-defects.ts';
import type { ClientDefect, ClientVariant, HarmlessClient } from './defect.ts';
import { messageDefects } from './message-defects.ts';
import { repeatDefects } from './repeat-defects.ts';
import { screenDefects } from './screen-defects.ts';
import { sessionDefects } from './session-defects.ts';

/** The right client. */
export const REFERENCE: ClientVariant = { id: 'reference', title: 'The client in plain JavaScript' };

export const clientDefects: readonly ClientDefect[] = [
  ...messageDefects,
  ...behaviourDefects,
  ...screenDefects,
  ...repeatDefects,
  ...sessionDefects,
];

/** Differences of a right client. */
export const harmlessClients: readonly HarmlessClient[] = [
  { id: 'ids-as-text', title: 'Its ids are texts' },
  { id: 'ids-by-chance', title: 'Its ids are texts with letters' },
  { id: 'ids-large', title: 'Its ids are large numbers' },
  { id: 'gender-left-out', title: 'It leaves the gender out' },
  { id: 'gender-unknown-left-out', title: 'It leaves out a gender that is recorded as unknown' },
  { id: 'members-in-another-order', title: 'The members of its calls stand in another order' },
  { id: 'cred-members-swapped', title: 'The members of its cred stand in another order' },
  { id: 'charset-in-content-type', title: 'Its content type names the charset' },
  { id: 'names-decomposed', title: 'It sends the surname in decomposed Unicode' },
  { id: 'indented-json', title: 'Its JSON is indented' },
  { id: 'escaped-json', title: 'Its JSON is escaped to ASCII' },
  { id: 'newline-after-json', title: 'Its JSON ends with a line break' },
  { id: 'body-in-bytes', title: 'It hands its bodies over as bytes' },
  { id: 'accept-header', title: 'It sends headers for content and language' },
  { id: 'language-asked-for', title: 'It asks for several languages' },
  { id: 'connection-closed-each-time', title: 'It closes the connection after each call' },
  { id: 'user-agent-of-its-own', title: 'It names itself in a header' },
  { id: 'no-cache-headers', title: 'It forbids caches in its headers' },
  { id: 'strategy-named', title: 'It names the search strategy that is meant anyway' },
  { id: 'exchange-token-early', title: 'It asks for the exchange token while the form is filled in' },
  { id: 'exchange-token-kept-for-tries', title: 'It keeps an exchange token for further tries' },
  { id: 'reads-once-more', title: 'It reads each record twice' },
  { id: 'reads-after-link', title: 'It reads the record after the link, and does not show that of authenticate' },
  { id: 'report-in-background', title: 'It reports the link in the background' },
  { id: 'ids-with-gaps', title: 'Its ids have gaps' },
  { id: 'restart-signs-out', title: 'A restart signs the person out' },
  { id: 'longer-texts', title: 'Its texts are longer' },
  { id: 'texts-in-german', title: 'Its texts are in another language' },
  { id: 'record-without-text', title: 'It shows a record without any words' },
  { id: 'params-left-out', title: 'It leaves params out where there are none' },
  { id: 'params-as-empty-list', title: 'It sends an empty list where there are no params' },
  { id: 'path-without-slash', title: 'Its path lacks the slash at the end' },
  { id: 'looks-after-odd-reply', title: 'After an odd reply to authenticate it looks whether the record is there' },
  { id: 'name-in-capitals', title: 'It sends the given name in capitals' },
  { id: 'traced-by-a-header', title: 'A header of each call has a number by which it is traced' },
  { id: 'cred-null', title: 'It sends null where there is no cred, and where there is no apiKey' },
  { id: 'card-empty', title: 'It names the search by phone, and sends an empty medical card' },
  { id: 'gender-null', title: 'It sends null as gender' },
  { id: 'read-repeated-once', title: 'It repeats a get_patient once that got no answer' },
  { id: 'phone-with-signs-refused', title: 'It asks the person to write the phone in digits' },
  { id: 'gender-required', title: 'It asks the person to choose a gender' },
  { id: 'blanks-around-surname', title: 'It sends the surname with the blanks around it' },
  { id: 'code-trimmed', title: 'It removes blanks around a code' },
  {
    id: 'sign-in-refused-while-signed-in',
    title: 'It asks a person who is signed in to log out before another sign-in',
  },
  { id: 'words-with-numbers', title: 'Its texts have a phone number and quotes' },
  { id: 'reads-before-form', title: 'It asks for the record once more before it sends the form' },
  { id: 'record-in-part', title: 'It shows a few members of the record' },
  { id: 'record-in-capitals', title: 'It shows the record in capital letters' },
  { id: 'client-id-drawn', title: 'Headers of each call have a number that is drawn, and the time' },
  { id: 'texts-in-chinese', title: 'Its texts are in a language that puts no blanks between words' },
  { id: 'disconnection-told-apart', title: 'It tells a disconnection on a screen of its own, before the form' },
  { id: 'birthdate-as-day', title: 'It shows the date of birth as a day' },
  { id: 'signature-by-its-first-name', title: 'It reads the signature as user_sign alone' },
  { id: 'signature-by-its-other-name', title: 'It reads the signature as userSign alone' },
  {
    id: 'signature-not-kept',
    title: 'It reports the user_sign, and neither keeps it nor sends it with a sign-in',
    notPlayable: [
      'user-sign-kept',
      'user-sign-outlives-session',
      'new-sign-kept',
      'stale-sign-forgotten',
      'refused-report-keeps-sign',
      'disconnect-after-success-alone',
      'signs-of-others-kept',
    ],
  },
  { id: 'new-code-when-used-up', title: 'It asks for another code by itself when one is used up' },
];

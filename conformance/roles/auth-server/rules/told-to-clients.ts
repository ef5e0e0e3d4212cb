/** No answer tells a client secrets, texts or addresses of the internal channel (§1 rules 8 and 9). */
import type { Check } from '../../../engine/check/check.ts';
import { rule } from '../../../engine/check/rule.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import { TO_CLIENT, traceIn } from '../../../engine/journal/secrets/found/secrets-to-client.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { oddCodes } from '../flows/codes/odd-codes.ts';
import { severalPhones } from '../flows/codes/several-phones.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { crowd } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { malformed } from '../flows/requests/malformed.ts';
import { isDone } from '../flows/step-values.ts';
import { exchangeTokenTrouble } from '../flows/trouble/save-trouble.ts';
import { answers, callAccepted, NO_ANSWER, USUAL, unless } from './usual.ts';

const OF_ANSWERS = { ...USUAL, of: answers, nothing: NO_ANSWER, watchable: false } as const;

/** Makes a function that finds secrets in an answer: their words in the journal begin with, or have, these. */
const told =
  (is: (words: string) => boolean) =>
  ({ facts }: ExchangeEntry): string | undefined =>
    facts.toClient?.filter(is).join(', ') || undefined;

const hasReturned = (journal: JournalView, { id }: { id: string }, label: string) =>
  journal.steps({ scenario: id, label }).some(isDone);

export const toldToClientRules: readonly Check[] = [
  rule({
    ...OF_ANSWERS,
    id: 'internal-secrets-not-to-client',
    title: 'No answer to a client has the internal password or a digest of the internal channel in it',
    requirements: ['K-internal-secrets-kept', '5.1-secrets-not-in-clear'],
    scenarios: [firstLink, returningUser, wrongCodes],
    watchable: true,
    wrong: told((words) => words.startsWith(TO_CLIENT.password) || words.startsWith(TO_CLIENT.digest)),
    expected: 'neither of them in any reply, header or redirect',
    advice:
      'Answer clients with what they are meant to have, member by member, and never with settings, requests or objects of your own. Change the internal password now: it was seen.',
    control: callAccepted,
  }),
  rule({
    ...OF_ANSWERS,
    id: 'others-secrets-not-to-client',
    title: 'No answer to a client has a token or a user_sign of another user in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    wrong: told((words) => words.includes(TO_CLIENT.ofAnother)),
    expected: "the client's own token and nothing of other users",
    advice: 'Make each answer of the session that was verified for this very request, and of nothing else.',
    control: unless(
      (journal) =>
        journal.internalCalls.length > 0 && hasReturned(journal, returningUser, 'Cid returns with user_sign'),
      'no user returned after another was linked, so no signature could have been told to another',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'nobody-else-named',
    title: 'No answer to a client names the phone or the user of somebody else',
    requirements: ['K-others-not-named'],
    scenarios: [returningUser, crowd],
    wrong: told((words) => words.includes(TO_CLIENT.ofSomebodyElse)),
    expected: 'the own phone and user, and nobody else',
    advice: 'Answer each client with what concerns its own session, and leave lists of users and phones out.',
    control: unless(
      (journal) => journal.allSteps('confirmOtp').filter(isDone).length > 1,
      'fewer than two people signed in, so nobody else could have been named',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'request-tells-nothing',
    title: 'The answer to the request of a code has no token and no user_sign of the person in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    wrong: told((words) => words.includes(TO_CLIENT.unconfirmed)),
    expected: 'nothing of the person: whoever names a phone gets this answer',
    advice:
      'Answer the request of a code alike for every phone, and give tokens only after the code is confirmed. A session gets a token that was not handed out before.',
    control: unless(
      (journal) => hasReturned(journal, returningUser, 'Bea returns with user_sign'),
      'no linked user asked for another code, so nothing of a person could have been told',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'ehr-error-not-passed-on',
    title: 'What the EHR server says of its failures is not handed to the client',
    requirements: ['K-ehr-error-kept'],
    scenarios: [exchangeTokenTrouble],
    wrong: told((words) => words.startsWith(TO_CLIENT.ehrError)),
    expected: 'an error in words of your own',
    advice:
      'Write what the EHR server said to your log, and tell the client a code or a sentence of your own: such texts have host names, stacks and values in them.',
    control: unless(
      (journal) =>
        journal
          .exchanges('auth->ehr')
          .some(({ fault }) => fault === 'refuse' || fault === 'http-500' || fault === 'not-json'),
      'no error text of the EHR server reached the server under test',
    ),
  }),
  rule({
    ...OF_ANSWERS,
    id: 'no-trace-told',
    title: 'No answer to a client has a stack trace in it',
    requirements: ['K-no-trace-told'],
    scenarios: [firstLink, malformed, oddCodes, severalPhones],
    control: (journal) => (journal.allSteps('exchangeToken').some(isDone) ? undefined : NO_ANSWER),
    wrong({ response }) {
      const trace = traceIn(response?.body ?? '');
      return trace && `a stack trace of ${trace}`;
    },
    expected: 'an error that names what is wrong with the request',
    advice:
      'Catch what a request can cause and log it; tell the client nothing of your code, its paths and its versions.',
  }),
];

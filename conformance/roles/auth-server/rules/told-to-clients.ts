/** No answer tells a client secrets, texts or addresses of the internal channel (§1 rules 8 and 9). */
import type { Check } from '../../../engine/check/check.ts';
import { MAX_EVIDENCE } from '../../../engine/check/verdict.ts';
import { TO_CLIENT, traceIn } from '../../../engine/journal/secrets/found/secrets-to-client.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { oddCodes } from '../flows/codes/odd-codes.ts';
import { severalPhones } from '../flows/codes/several-phones.ts';
import { wrongCodes } from '../flows/codes/wrong-codes.ts';
import { crowd } from '../flows/links/crowd.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { malformed } from '../flows/requests/malformed.ts';
import { fault, isDone } from '../flows/step-values.ts';
import { exchangeTokenTrouble } from '../flows/trouble/save-trouble.ts';
import { hasAcceptedCall, NO_ACCEPTED_CALL } from '../internal-calls.ts';
import { answers, NO_ANSWER, rule, ruleOfAll } from './rule.ts';

type Told = Pick<Check, 'id' | 'title' | 'requirements'> &
  Partial<Pick<Check, 'watchable'>> & {
    scenarios: readonly { id: string }[];
    /** Whether words of the journal name a secret of this rule. */
    is: (told: string) => boolean;
    expected: string;
    advice: string;
    /** Whether the server could have told anything; else `nothing` is the reason. */
    control: (journal: JournalView) => boolean;
    nothing: string;
  };

function notTold({ is, control, nothing, ...about }: Told): Check {
  return rule({
    watchable: false,
    ...about,
    of: answers,
    nothing,
    wrong: ({ facts }) => facts.toClient?.filter(is).join(', ') || undefined,
    control: { seen: control, because: nothing },
  });
}

const hasReturned = (journal: JournalView, { id }: { id: string }, label: string) =>
  journal.steps({ scenario: id, label }).some(isDone);

export const toldToClientRules: readonly Check[] = [
  notTold({
    id: 'internal-secrets-not-to-client',
    title: 'No answer to a client has the internal password or a digest of the internal channel in it',
    requirements: ['K-internal-secrets-kept', '5.1-secrets-not-in-clear'],
    scenarios: [firstLink, returningUser, wrongCodes],
    watchable: true,
    is: (told) => told.startsWith(TO_CLIENT.password) || told.startsWith(TO_CLIENT.digest),
    expected: 'neither of them in any reply, header or redirect',
    advice:
      'Answer clients with what they are meant to have, member by member, and never with settings, requests or objects of your own. Change the internal password now: it was seen.',
    control: hasAcceptedCall,
    nothing: NO_ACCEPTED_CALL,
  }),
  notTold({
    id: 'others-secrets-not-to-client',
    title: 'No answer to a client has a token or a user_sign of another user in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    is: (told) => told.includes(TO_CLIENT.ofAnother),
    expected: "the client's own token and nothing of other users",
    advice: 'Make each answer of the session that was verified for this very request, and of nothing else.',
    control: (journal) =>
      journal.internalCalls.length > 0 && hasReturned(journal, returningUser, 'Cid returns with user_sign'),
    nothing: 'no user returned after another was linked, so no signature could have been told to another',
  }),
  notTold({
    id: 'nobody-else-named',
    title: 'No answer to a client names the phone or the user of somebody else',
    requirements: ['K-others-not-named'],
    scenarios: [returningUser, crowd],
    is: (told) => told.includes(TO_CLIENT.ofSomebodyElse),
    expected: 'the own phone and user, and nobody else',
    advice: 'Answer each client with what concerns its own session, and leave lists of users and phones out.',
    control: (journal) => journal.allSteps('confirmOtp').filter(isDone).length > 1,
    nothing: 'fewer than two people signed in, so nobody else could have been named',
  }),
  notTold({
    id: 'request-tells-nothing',
    title: 'The answer to the request of a code has no token and no user_sign of the person in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    is: (told) => told.includes(TO_CLIENT.unconfirmed),
    expected: 'nothing of the person: whoever names a phone gets this answer',
    advice:
      'Answer the request of a code alike for every phone, and give tokens only after the code is confirmed. A session gets a token that was not handed out before.',
    control: (journal) => hasReturned(journal, returningUser, 'Bea returns with user_sign'),
    nothing: 'no linked user asked for another code, so nothing of a person could have been told',
  }),
  notTold({
    id: 'ehr-error-not-passed-on',
    title: 'What the EHR server says of its failures is not handed to the client',
    requirements: ['K-ehr-error-kept'],
    scenarios: [exchangeTokenTrouble],
    is: (told) => told.startsWith(TO_CLIENT.ehrError),
    expected: 'an error in words of your own',
    advice:
      'Write what the EHR server said to your log, and tell the client a code or a sentence of your own: such texts have host names, stacks and values in them.',
    control: (journal) =>
      journal
        .exchanges('auth->ehr')
        .some(({ fault }) => fault === 'refuse' || fault === 'http-500' || fault === 'not-json'),
    nothing: 'no error text of the EHR server reached the server under test',
  }),
  ruleOfAll({
    id: 'no-trace-told',
    title: 'No answer to a client has a stack trace in it',
    requirements: ['K-no-trace-told'],
    scenarios: [firstLink, malformed, oddCodes, severalPhones],
    watchable: false,
    of: answers,
    nothing: NO_ANSWER,
    control: { seen: (journal) => journal.allSteps('exchangeToken').some(isDone), because: NO_ANSWER },
    judge(all) {
      const found = all.filter(({ response }) => traceIn(response?.body ?? '') !== undefined);
      if (found.length === 0) return undefined;
      return fault(
        'an error that names what is wrong with the request',
        `a stack trace of ${traceIn(found[0]?.response?.body ?? '')} (${found.length} ${found.length === 1 ? 'answer' : 'answers'})`,
        ...found.slice(0, MAX_EVIDENCE),
      );
    },
    advice:
      'Catch what a request can cause and log it; tell the client nothing of your code, its paths and its versions.',
  }),
];

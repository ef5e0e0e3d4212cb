/**
 * What the server under test must not tell its clients: secrets of the internal channel or of other users,
 * and codes (§1 rules 8 and 9, §5).
 */

import { type Check, check } from '../../../../engine/check/check.ts';
import { allOf, hasAcceptedCall, inconclusive, NO_ACCEPTED_CALL, pass } from '../../../../engine/check/judging.ts';
import { first, type RedChange } from '../../../../engine/check/red-change.ts';
import { TO_CLIENT } from '../../../../engine/journal/secrets/secrets-to-client.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { wrongCodes } from '../../flows/codes/wrong-codes.ts';
import { crowd, firstLink, returningUser } from '../../flows/links/linking.ts';
import { exchangeTokenTrouble } from '../../flows/trouble/ehr-trouble.ts';

const answers = (journal: JournalView) => journal.exchanges('client->auth').filter(({ response }) => response);

type Told = Pick<Check, 'id' | 'title' | 'requirements'> &
  Partial<Pick<Check, 'level' | 'watchable'>> & {
    scenarios: readonly { id: string }[];
    is: (told: string) => boolean;
    expected: string;
    advice: string;
    /** What {@link red} puts into the answers. */
    example: string;
    /** Whether there was anything that could have been told. */
    control: (journal: JournalView) => boolean;
    nothing: string;
    /** The number of answers from which on the check fails. */
    least?: (journal: JournalView) => number;
  };

function toldCheck({ is, expected, advice, example, control, nothing, least = () => 1, ...about }: Told): Check {
  return check({
    ...about,
    judge(journal) {
      const all = answers(journal);
      const wrong = all.filter(({ facts }) => facts.toClient?.some(is));
      const told = ({ facts }: (typeof all)[number]) => facts.toClient?.filter(is).join(', ') || undefined;
      if (wrong.length >= least(journal)) {
        const finding = allOf(all, told, { expected, advice, nothing });
        if (finding.outcome !== 'inconclusive') return finding;
      }
      if (!control(journal) || all.length === 0) return inconclusive(nothing);
      return pass(all.slice(0, 3).map(({ seq }) => seq));
    },
    red: tells(example),
  });
}

const tells =
  (what: string): RedChange =>
  ({ exchanges }) => {
    first(exchanges('client->auth'));
    for (const { facts } of exchanges('client->auth')) facts.toClient = [what];
  };

const hasCalls = (journal: JournalView) => journal.internalCalls.length > 0;

export const toClientChecks: readonly Check[] = [
  toldCheck({
    id: 'internal-secrets-not-to-client',
    title: 'No answer to a client has the internal password or a digest of the internal channel in it',
    requirements: ['K-internal-secrets-kept', '5.1-secrets-not-in-clear'],
    scenarios: [firstLink, returningUser, wrongCodes],
    watchable: true,
    is: (told) => told.startsWith(TO_CLIENT.password) || told.startsWith(TO_CLIENT.digest),
    expected: 'neither of them in any reply, header or redirect',
    advice:
      'Answer clients with what they are meant to have, member by member, and never with settings, requests or objects of your own. Change the internal password now: it was seen.',
    example: `${TO_CLIENT.password} in the body`,
    control: hasAcceptedCall,
    nothing: NO_ACCEPTED_CALL,
  }),
  toldCheck({
    id: 'others-secrets-not-to-client',
    title: 'No answer to a client has a token or a user_sign of another user in it',
    requirements: ['K-others-secrets-kept'],
    scenarios: [returningUser, crowd],
    is: (told) => told.includes(TO_CLIENT.ofAnother),
    expected: "the client's own token and nothing of other users",
    advice: 'Make each answer of the session that was verified for this very request, and of nothing else.',
    example: `a user_sign${TO_CLIENT.ofAnother} in the body`,
    control: (journal) =>
      hasCalls(journal) &&
      [returningUser.steps.cidReturns, crowd.steps.returns].some((label) =>
        journal.steps(label).some(({ result }) => result.kind === 'done'),
      ),
    nothing: 'no user returned after another was linked, so no signature could have been told to another',
  }),
  toldCheck({
    id: 'nobody-else-named',
    title: 'No answer to a client names the phone or the user of somebody else',
    level: 'SHOULD',
    requirements: ['K-others-not-named'],
    scenarios: [returningUser, crowd],
    is: (told) => told.includes(TO_CLIENT.ofSomebodyElse),
    expected: 'the own phone and user, and nobody else',
    advice: 'Answer each client with what concerns its own session, and leave lists of users and phones out.',
    example: `the phone${TO_CLIENT.ofSomebodyElse} in the body`,
    control: (journal) => journal.allSteps('confirmOtp').filter(({ result }) => result.kind === 'done').length > 1,
    nothing: 'fewer than two people signed in, so nobody else could have been named',
  }),
  toldCheck({
    id: 'request-tells-nothing',
    title: 'The answer to the request of a code has no token and no user_sign of the person in it',
    requirements: ['K-others-secrets-kept', '1-phone-confirmed'],
    scenarios: [returningUser, crowd],
    is: (told) => told.includes(TO_CLIENT.unconfirmed),
    expected: 'nothing of the person: whoever names a phone gets this answer',
    advice:
      'Answer the request of a code alike for every phone, and give tokens only after the code is confirmed. A session gets a token that was not handed out before.',
    example: `a user_sign${TO_CLIENT.unconfirmed} in the body`,
    control: (journal) => journal.steps(returningUser.steps.beaReturns).some(({ result }) => result.kind === 'done'),
    nothing: 'no linked user asked for another code, so nothing of a person could have been told',
  }),
  toldCheck({
    id: 'ehr-error-not-passed-on',
    title: 'What the EHR server says of its failures is not handed to the client',
    level: 'SHOULD',
    requirements: ['K-ehr-error-kept'],
    scenarios: [exchangeTokenTrouble],
    is: (told) => told.startsWith(TO_CLIENT.ehrError),
    expected: 'an error in words of your own',
    advice:
      'Write what the EHR server said to your log, and tell the client a code or a sentence of your own: such texts have host names, stacks and values in them.',
    example: `${TO_CLIENT.ehrError} in the body`,
    control: (journal) =>
      journal
        .exchanges('auth->ehr')
        .some(({ fault }) => fault === 'refuse' || fault === 'http-500' || fault === 'not-json'),
    nothing: 'no error text of the EHR server reached the server under test',
  }),
];

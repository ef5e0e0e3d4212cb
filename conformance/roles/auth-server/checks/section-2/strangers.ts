/** What ends no session: what strangers do with the phone, and links on other devices (§1 rule 8, §4.5). */

import { type Check, check } from '../../../../engine/check/check.ts';
import { inconclusive, notApplicable, notRun } from '../../../../engine/check/judging.ts';
import { twoSessions } from '../../flows/codes/devices.ts';
import { part } from '../../flows/scenario.ts';
import { whoseSession } from '../../flows/sessions/whose-session.ts';
import { goesOn } from './devices.ts';

const { steps } = twoSessions;

const ADVICE =
  'End sessions at a logout, a deletion or their time alone: whoever knows a phone can ask for a code and try one.';

export const strangerChecks: readonly Check[] = [
  check({
    id: 'code-request-ends-no-session',
    title: 'A request for a code leaves the sessions of the owner of the phone',
    level: 'SHOULD',
    requirements: ['K-several-devices'],
    scenarios: [twoSessions],
    judge(journal) {
      const event = part(steps.laptop, 'request a code');
      if (journal.step(steps.laptop) && !journal.step(event))
        return notApplicable('no code is requested from this server');
      return goesOn(journal, {
        control: steps.phoneAgain,
        event,
        attempt: steps.phoneAfterRequest,
        actual: 'the request for a code ended the session on the phone',
        advice: ADVICE,
      });
    },
  }),
  check({
    id: 'wrong-code-ends-no-session',
    title: 'A wrong code leaves the sessions of the owner of the phone',
    level: 'SHOULD',
    requirements: ['K-several-devices'],
    scenarios: [twoSessions],
    judge(journal) {
      const [guess, before] = [journal.step(steps.guess), journal.step(steps.phoneBeside)];
      if (journal.step(steps.laptop) && !guess) return notApplicable('no code is requested from this server');
      if (!guess || !before) return notRun(journal, steps.guess);
      if (guess.result.kind !== 'refused') return inconclusive('the wrong code was not refused', guess.evidence);
      return goesOn(journal, {
        control: steps.phoneBeside,
        event: steps.phoneBeside,
        attempt: steps.phoneAfterGuess,
        actual: 'the wrong code ended the session on the phone',
        advice: ADVICE,
      });
    },
  }),
  check({
    id: 'link-leaves-other-devices',
    title: 'A link leaves the sessions of the user on other devices',
    level: 'SHOULD',
    requirements: ['K-several-devices'],
    scenarios: [whoseSession],
    judge: (journal) =>
      goesOn(journal, {
        control: whoseSession.steps.phoneBefore,
        event: part(whoseSession.steps.laptopLinks, 'authenticate'),
        attempt: whoseSession.steps.phoneAfter,
        actual: 'the link on the laptop ended the session on the phone',
        advice: 'Save and link the session that asks for it, and leave those of other devices as they are.',
      }),
  }),
];

/**
 * The scenario `one-session-at-once`: sessions ask for several exchange tokens at the same moment, and one
 * reports its link twice at the same moment (§1 rules 1 and 4).
 */
import type { Judgement } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { check, flow } from '../flow.ts';
import { isDone, yielded } from '../step-values.ts';

/** The number of exchange tokens that one user requests at the same moment. */
const TOKEN_COUNT = 3;

// Labels of steps.
const [ADAS, BENS] = [
  'Ada asks for exchange tokens at once',
  'Ben asks for exchange tokens at once',
] as const;
const TWICE = 'Ada reports the link twice at once';
const AGAIN = 'Ada reports the link again';

/** Judges whether each request was given an exchange token that no other request was given. */
function tokensDiffer(all: readonly PlayedStep[]): Judgement {
  const given = all.filter(isDone);
  const twice = given
    .map((played) =>
      given.filter((other) => yielded(other, 'exchangeToken') === yielded(played, 'exchangeToken')),
    )
    .find((same) => same.length > 1);
  if (twice) {
    const users = new Set(twice.map(({ step }) => step.user));
    return {
      expected: 'a token of its own for each request',
      actual: `the same token was given ${twice.length} times, to ${users.size === 1 ? 'one user' : `${users.size} users`}`,
      shownBy: twice,
    };
  }
  if (given.length >= 2) return undefined;
  return { unclear: 'fewer than two tokens were given at the same moment', shownBy: all };
}

export const oneSessionAtOnce = flow({
  id: 'one-session-at-once',
  title: 'Exchange tokens are asked for at the same moment, and a link is reported twice at once',
  needs: ['confirmOtp', 'exchangeToken'],
  people: 2,
  async play(driver) {
    const [ada, ben] = [await driver.user('Ada'), await driver.user('Ben')];
    const both = [
      ['Ada', ada],
      ['Ben', ben],
    ] as const;
    for (const [name, user] of both) {
      await driver.signIn(user, `${name} signs in`);
      await driver.mustSucceed(user, 'exchangeToken', `${name} asks for an exchange token`);
    }
    const tokens = both.map(([name, user]) => {
      return { user, step: 'exchangeToken', label: `${name} asks for exchange tokens at once` } as const;
    });
    await driver.atOnce(Array.from({ length: TOKEN_COUNT }, () => tokens).flat());
    if (!driver.adapter.has('reportLink')) return;
    await driver.mustCallEhr(ada, 'authenticate', 'Ada authenticates');
    // Without a signature there is nothing to report.
    if (ada.userSign === undefined) return;
    await driver.atOnce([1, 2].map(() => ({ user: ada, step: 'reportLink', label: TWICE })));
    await driver.perform(ada, 'reportLink', AGAIN);
  },
  checks: [
    check({
      id: 'exchange-tokens-at-once-differ',
      title: 'Requests for exchange tokens at the same moment are each given one of their own',
      requirements: ['K-exchange-token-fresh'],
      judge(steps) {
        const all = [...steps.all(ADAS), ...steps.all(BENS)];
        return tokensDiffer(all.length > 0 ? all : [steps.of(ADAS)]);
      },
      advice:
        'Draw and save a token for every request; share neither a result nor a variable between requests.',
    }),
    check({
      id: 'reports-at-once-kept',
      title: 'A link that is reported twice at the same moment is recorded',
      requirements: ['K-link-kept'],
      judge(steps, journal) {
        if (steps.find(ADAS) && journal.allSteps('reportLink').length === 0)
          return { notApplicable: 'the adapter declares that the server has no reportLink' };
        const [after, both] = [steps.of(AGAIN), steps.all(TWICE)];
        if (both.some(isDone) && isDone(after)) return undefined;
        return {
          expected: 'one of the two reports succeeds, and so does another one afterwards',
          actual: [...both, after].map(({ result }) => describe(result)).join('; '),
          shownBy: [...both, after],
          timeSensitive: true,
        };
      },
      advice:
        'When the EHR server says token_already_stored of this very user and token, the other report has recorded the link: that is success.',
    }),
  ],
});

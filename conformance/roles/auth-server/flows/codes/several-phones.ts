/** A code is confirmed for another user's phone, and requested for two phones at once. */
import type { Judgement, Steps } from '../../../../engine/check/steps.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import { withMembers, withValueInPlace } from '../../../../engine/wire/request-change.ts';
import { flow } from '../flow.ts';
import {
  doubledMembers,
  doubledPlaces,
  NOTHING_TO_DOUBLE,
  noting,
  requestForTwo,
  requestOfBoth,
} from '../requests/doubled-members.ts';
import { fault, isDone, unclear, yielded } from '../step-values.ts';

/** The ways to write two phones as one value, by their name in labels. */
const TOGETHER = {
  'a comma between them': (first: string, second: string) => `${first},${second}`,
  'a semicolon between them': (first: string, second: string) => `${first};${second}`,
  'a line break between them': (first: string, second: string) => `${first}\n${second}`,
  'a list of both': (first: string, second: string) => [first, second],
} as const;

type PhoneWay = keyof typeof TOGETHER;
export const togetherWays = Object.keys(TOGETHER) as PhoneWay[];
const requestOf = (way: PhoneWay) => `a code for the phones of both, ${way}`;

const OTHER = "confirms her own code with Max's phone";
const OWN = 'confirms her own code with her own phone';

export const severalPhones = flow({
  id: 'several-phones',
  title: "A code is confirmed for another user's phone, and codes are requested for two phones in one value",
  needs: ['requestOtp', 'confirmOtp'],
  people: 2,
  codes: 7,
  waits: ({ resend }) => resend,
  async play(driver) {
    const [lea, max] = [await driver.signedIn('Lea'), await driver.signedIn('Max')];
    if (!(await driver.time.passResendPause())) return;
    const code = await driver.code(lea, 'Lea requests a code');
    const named = withValueInPlace(lea.phone, max.phone);
    // A confirmation that names no phone, as where a challenge does, is given one.
    const other = noting((request) => {
      const changed = named(request);
      return changed.body === request.body && changed.path === request.path
        ? withMembers({ phone: max.phone })(request)
        : changed;
    });
    // A copy of Lea: the session of another user, if one is opened, must not become hers.
    const result = await driver.perform({ ...lea }, 'confirmOtp', OTHER, {
      change: other.change,
      defect: 'the phone is of another user, everything else her own',
      code,
    });
    driver.observe(OTHER, {
      isChanged: other.isChanged(),
      isForeign: result.kind === 'done' && result.values.user === max.user,
    });
    await driver.perform({ ...lea }, 'confirmOtp', OWN, { code });
    if (!driver.adapter.countsMessages) return;
    for (const way of togetherWays) {
      const two = TOGETHER[way](max.phone, lea.phone);
      const asked = await requestOfBoth(driver, [max, lea], requestOf(way), withValueInPlace(max.phone, two));
      // Where nothing was sent there is no pause to wait for.
      if (asked && !(await driver.time.passResendPause())) return;
    }
  },
  checks: {
    'code-confirms-own-phone': {
      title: 'A code confirms the phone it was sent to, whatever phone the confirmation names',
      requirements: ['1-phone-confirmed'],
      judge(steps) {
        const [tried, control] = [steps.of(OTHER), steps.of(OWN)];
        const seen = steps.observed(OTHER);
        if (seen?.isForeign === true)
          return fault(
            'a refusal, or the session of the one to whom the code was sent',
            'a code that was sent to one phone opened a session of the user of another, who was named beside it',
            tried,
          );
        if (seen?.isChanged !== true)
          return { notApplicable: 'the confirmation has no members, so it cannot name another phone' };
        const user = yielded(steps.of('Lea signs in'), 'user');
        if (isDone(tried) && yielded(tried, 'user') !== user)
          return unclear('it opened a session of neither of the two', tried);
        // A server that looks at the code alone opens the right session and uses the code up.
        if (isDone(tried) || isDone(control)) return undefined;
        return unclear(
          `the same confirmation with the right phone, which ought to succeed, did not (${describe(control.result)})`,
          control,
        );
      },
      advice:
        'Take the phone from where the code is stored, never from the confirmation; refuse a confirmation that names another one.',
    },
    'code-to-one-phone': {
      title: 'A request that names two phones does not send one code to both',
      requirements: ['K-code-to-one-phone'],
      also: [doubledMembers],
      judge: sentToBoth,
      advice:
        "Take exactly one phone from a request, as a text that is a phone from end to end, and send the code to the phone that it is stored for. Whoever adds a phone of their own would be sent the other user's code.",
    },
  },
});

function sentToBoth(steps: Steps): Judgement {
  const doubled = steps.in(doubledMembers);
  const requests = [
    ...togetherWays.map((way) => ({ own: steps, label: requestOf(way) })),
    ...doubledPlaces.map((place) => ({ own: doubled, label: requestForTwo(place) })),
  ];
  const played = requests.flatMap(({ own, label }) => own.all(label));
  if (played.length === 0) steps.of(requestOf('a comma between them'));
  const seen = requests.flatMap(({ own, label }) =>
    own.allObserved(label).map((values) => ({ own, label, values })),
  );
  const both = seen.filter(({ values }) => values.isSentToBoth === true);
  if (both.length > 0)
    return fault(
      'a refusal, or a code for one of the phones alone',
      `the same code came to both phones, after ${both.map(({ label }) => `"${label}"`).join(', ')}`,
      ...both.flatMap(({ own, label }) => own.all(label)),
    );
  if (!seen.some(({ values }) => values.isChanged === true)) return { notApplicable: NOTHING_TO_DOUBLE };
  const control = steps.find('Lea signs in') ?? doubled.find('Ivo signs in');
  if (!control || !isDone(control))
    return unclear('no code came for one phone either', ...(control ? [control] : []));
  const unanswered = played.find(({ result }) => result.kind === 'failed' && result.what !== 'server-error');
  if (unanswered) return unclear(describe(unanswered.result), unanswered);
  return { right: [control, ...played.slice(0, MAX_EVIDENCE)] };
}

/** Codes are requested for phones of users and of nobody: the answers must be alike. */
import { withoutMark } from '#protocol/wire/json.ts';
import { type Fault, isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { headerOf } from '../../../../engine/journal/headers.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { PlayedStep } from '../../../../engine/journal/view.ts';
import { mayBeLimit } from '../../people/codes/code-limits.ts';
import type { Driver, User } from '../../people/driver.ts';
import { flow } from '../flow.ts';
import { correspondence } from '../links/correspondence.ts';
import { askedBy, fault, faultUnlessSlow, isDone, unclear } from '../step-values.ts';

// Labels of steps.
const KNOWN = 'code for a known phone';
const UNKNOWN = 'code for an unknown phone';
const AGAIN = { known: 'another code for a known phone, at once', unknown: 'another for an unknown phone' };

export const knownAndUnknown = flow({
  id: 'known-and-unknown',
  title: 'Codes are requested for phones of users and for phones of nobody',
  needs: ['requestOtp', 'confirmOtp'],
  when: 'alone',
  people: 4,
  codes: 17,
  waits: ({ resend }) => resend,
  async play(driver) {
    const count = Math.min(5, Math.floor(driver.freePeople / 2));
    const known: User[] = [];
    for (let number = 1; number <= count; number++) known.push(await driver.user(`known ${number}`));
    await driver.time.together(known.map((user) => () => driver.signIn(user, 'becomes known')));
    await driver.time.passResendPause();
    const requests = known.map((user, index) => () => requestForTwo(driver, user, index));
    if (driver.serverWaits) return void (await driver.time.together(requests));
    for (const request of requests) await request();
  },
  checks: {
    'known-and-unknown-alike': {
      title: 'Known and unknown phones are answered alike',
      requirements: ['K-known-unknown-alike'],
      also: [correspondence],
      settled: (steps) => unlistedTold(steps.in(correspondence)),
      judge(steps) {
        steps.of(KNOWN);
        steps.of(UNKNOWN);
        const again = answersDiffer(steps.all(AGAIN.known), steps.all(AGAIN.unknown));
        const found = differenceOf(steps.all(KNOWN), steps.all(UNKNOWN));
        return isFault(found) ? found : (again ?? found);
      },
      advice: 'Answer a request for a code in the same way whether the phone is known or not.',
    },
  },
});

/** Requests a code for a known phone and for one of nobody; for the first two at once again. */
async function requestForTwo(driver: Driver, user: User, index: number): Promise<void> {
  await driver.perform(user, 'requestOtp', KNOWN);
  const stranger = driver.adapter.unknownPhone(index);
  // The file lists all phones, so it has no phone that the server does not know.
  if (stranger === undefined && Number.isFinite(driver.adapter.phoneCount)) return;
  const name = `un${user.name}`;
  const nobody = stranger === undefined ? await driver.user(name) : await driver.userAt(name, stranger);
  await driver.perform(nobody, 'requestOtp', UNKNOWN);
  if (index > 0) return;
  const defect = 'a code was sent a moment ago';
  await driver.perform(user, 'requestOtp', AGAIN.known, { defect });
  await driver.perform(nobody, 'requestOtp', AGAIN.unknown, { defect });
}

/** A server may refuse who has no entry, but only when the code came back. */
function unlistedTold(steps: Steps): Fault | undefined {
  const listed = steps.find('Ola signs in: request a code');
  const unlisted = steps.find('Pip signs in: request a code');
  // When the kit removes the entry of Pip only later, both phones have an entry at their code requests.
  const isBothListed = steps.find('the entry is removed') !== undefined;
  if (!listed || !isDone(listed) || unlisted?.result.kind !== 'refused' || isBothListed) return undefined;
  if (mayBeLimit(unlisted.result)) return undefined;
  return {
    expected: 'the same answer',
    actual: `known: it succeeded; without a correspondence entry: ${describe(unlisted.result)}`,
    shownBy: [listed, unlisted],
    advice:
      'Answer a request for a code in the same way whether the phone is known or not; refuse the user when the code came back.',
  };
}

function answersDiffer(known: readonly PlayedStep[], unknown: readonly PlayedStep[]): Fault | undefined {
  const [ours, theirs] = [known, unknown].map((all) => [...new Set(all.map(answerOf))].join(' / '));
  if (ours === theirs || unknown.length === 0) return undefined;
  const shownBy = [...known.slice(0, 1), ...unknown.slice(0, 1)];
  const again = known[0]?.step.label === AGAIN.known ? ', to a second request at once' : '';
  return fault(`the same answer${again}`, `known: ${ours}; unknown: ${theirs}`, ...shownBy);
}

/** Compares the answers: status and body first, then their length, then the medians of their times. */
function differenceOf(known: readonly PlayedStep[], unknown: readonly PlayedStep[]): Judgement {
  const shownBy = [...known.slice(0, 1), ...unknown.slice(0, 1)];
  const differ = answersDiffer(known, unknown);
  if (differ) return differ;
  if (!known.every(isDone)) return unclear('no code could be requested', ...shownBy);
  const [ours = [], theirs = []] = [known, unknown].map((all) => [...new Set(all.map(lengthOf))]);
  // A length that varies among answers of one kind shows nothing.
  if (known.length > 1 && ours.length === 1 && theirs.length === 1 && ours[0] !== theirs[0])
    return {
      expected: 'answers of the same length',
      actual: `known: ${ours[0]} bytes; unknown: ${theirs[0]} bytes`,
      shownBy,
    };
  const medians = [known, unknown].map((all) => median(all.map(({ took }) => took)));
  const [fast, slow] = medians.sort((a, b) => a - b) as [number, number];
  // A server that is slow in any case must also be three times slower, because its times vary more.
  if (slow - fast <= TELLING_DIFFERENCE_MS || slow <= 3 * fast) return { right: shownBy };
  return faultUnlessSlow('about the same time', `medians of ${fast} and ${slow} ms`, ...shownBy);
}

function answerOf(played: PlayedStep): string {
  const response = askedBy(played)?.response;
  return response ? `HTTP ${response.status}, ${shapeOf(response.body)}` : 'no answer';
}

/** The Content-Length of the answer in bytes; undefined when the answer does not state it. */
function lengthOf(played: PlayedStep): number | undefined {
  const stated = headerOf(askedBy(played)?.response?.headers, 'content-length');
  return stated === undefined ? undefined : Number(stated);
}

/** A difference of medians (ms) that a stranger can measure over a network. */
const TELLING_DIFFERENCE_MS = 100;

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** A body with each number, each `id` and each digit replaced by 0, because these differ in any case. */
function shapeOf(body: string): string {
  try {
    return JSON.stringify(JSON.parse(withoutMark(body)), (name, value: unknown) => {
      if (name === 'id' || typeof value === 'number') return 0;
      return typeof value === 'string' ? withoutNumbers(value) : value;
    });
  } catch {
    return withoutNumbers(body);
  }
}

const withoutNumbers = (text: string) =>
  text
    .replace(WORD_WITH_PSEUDONYM, (word) => (PSEUDONYM.test(word) ? word : '‹opaque 0›'))
    .replace(/\d+/g, '0');

const PSEUDONYM = /^‹[^›]*›$/;
/** A word with a pseudonym: tokens may begin alike, so that a part is masked and the rest is not. */
const WORD_WITH_PSEUDONYM = /(?<![\w.~+/=-])[\w.~+/=-]*(?:‹[^‹›]*›[\w.~+/=-]*)+/g;

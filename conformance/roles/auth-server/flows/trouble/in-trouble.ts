/** Checks of scenarios in which the EHR server is in trouble. Each names the troubles that failed. */
import type { FlowChecks } from '../../../../engine/check/flow.ts';
import { type Fault, isFault, type Judgement, type Steps } from '../../../../engine/check/steps.ts';
import { describe } from '../../../../engine/journal/played-steps.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import { type Trouble, troubles } from '../../../../engine/wire/troubles.ts';
import { sentTo } from '../../internal-calls.ts';
import { fault, isDone, timedFault, unclear, wasTold } from '../step-values.ts';

/** Replies that are right in an unusual form have a scenario of their own, and so have redirects. */
export const met: readonly Trouble[] = troubles.filter(
  ({ id, right }) => right !== 'success' && id !== 'redirect',
);

/** Where the trouble is met: one of the calls of the authorization server. */
export type Place = {
  readonly id: 'exchange-token' | 'link' | 'sign-in';
  readonly troubles: readonly Trouble[];
  /** The interrupted action, in the words of titles. */
  readonly what: string;
  readonly method: string;
  readonly during: (id: string) => string;
  readonly afterwards: (id: string) => string;
  /** Why the steps may be missing. Undefined: the set-up cannot play them. */
  readonly leftOut?: string;
  /** What the report says the client should get; "an error to the client" unless given. */
  readonly expected?: string;
  readonly toldAdvice: string;
  readonly surviveAdvice: string;
  readonly success?: (steps: Steps, played: PlayedStep, trouble: Trouble) => Judgement;
  /** Judges the next attempt. Unless given, it must succeed, and the EHR server must acknowledge it. */
  readonly next?: (played: PlayedStep) => Judgement;
};

export const TELL_AN_ERROR =
  'When the EHR server gives no acknowledgement, answer the client with an error and give out nothing; set a timeout on the whole call, and a limit on the size of a reply.';

export const toldAt = ({ id }: Pick<Place, 'id'>) => `trouble-told-at-${id}`;
export const survivedAt = ({ id }: Pick<Place, 'id'>) => `trouble-survived-at-${id}`;

export const troubleChecks = (place: Place): FlowChecks => ({
  [toldAt(place)]: {
    title: `The client is told in bounded time when the EHR server fails or refuses while ${place.what}`,
    requirements: ['K-failure-told', 'K-failure-bounded', 'K-offered-coding'],
    leftOut: place.leftOut,
    judge: (steps, journal) =>
      ofAll(steps, journal, place, (trouble, during) => {
        return unmet(during, place, trouble) ?? told(steps, during, place, trouble);
      }),
    advice: place.toldAdvice,
  },
  [survivedAt(place)]: {
    title: `The next attempt succeeds after the EHR server has failed or refused while ${place.what}`,
    requirements: ['K-failure-survived'],
    leftOut: place.leftOut,
    judge: (steps, journal) =>
      ofAll(steps, journal, place, (trouble, during) => {
        const next = steps.find(place.afterwards(trouble.id));
        const broken = stillBroken(during, place) ?? unmet(during, place, trouble);
        if (broken) return broken;
        return next ? recovers(during, next, place, trouble) : unclear('no next attempt was made', during);
      }),
    advice: place.surviveAdvice,
  },
});

function ofAll(
  steps: Steps,
  journal: JournalView,
  place: Place,
  judge: (trouble: Trouble, during: PlayedStep) => Judgement,
): Judgement {
  const judged = place.troubles.map((trouble) => {
    const during = steps.find(place.during(trouble.id));
    return { trouble, during, found: during && judge(trouble, during) };
  });
  const faults = judged.flatMap(({ trouble, found }) => (isFault(found) ? [{ trouble, found }] : []));
  if (faults.length > 0) return named(faults);
  const missing = judged.find(({ during }) => !during)?.trouble;
  // `of` ends the judgement with the reason why nothing was played, or why the scenario stopped.
  if (missing && (judged.every(({ during }) => !during) || isStopped(journal, steps)))
    steps.of(place.during(missing.id));
  if (missing) return { unclear: `an earlier trouble stopped this user before ${missing.words}` };
  return judged.find(({ found }) => found !== undefined)?.found;
}

function isStopped(journal: JournalView, steps: Steps): boolean {
  const scenario = steps.own()[0]?.step.scenario;
  return scenario !== undefined && journal.ending(scenario)?.stopped !== undefined;
}

const MAX_SHOWN = 3;

/** Makes one fault of those of several troubles: the troubles by what happened after them. */
function named(faults: readonly { trouble: Trouble; found: Fault }[]): Fault {
  const certain = faults.filter(({ found }) => !found.timeSensitive);
  const shown = certain.length > 0 ? certain : faults;
  const kinds = [...new Set(faults.map(({ found }) => found.actual))].map((actual) => {
    const after = faults.filter(({ found }) => found.actual === actual).map(({ trouble }) => trouble.words);
    return `${actual} after: ${after.join(', ')}`;
  });
  const [first] = shown as [(typeof shown)[number]];
  return {
    ...first.found,
    actual: kinds.join('; '),
    shownBy: shown.slice(0, MAX_SHOWN).flatMap(({ found }) => found.shownBy),
  };
}

function unmet(during: PlayedStep, { method }: Place, { fault, words }: Trouble): Judgement {
  if (sentTo(during, method).some((exchange) => exchange.fault === fault.name)) return undefined;
  return unclear(`the call did not reach the EHR server, so it did not meet ${words}`, during);
}

function told(steps: Steps, during: PlayedStep, place: Place, trouble: Trouble): Judgement {
  const { expected = 'an error to the client', success } = place;
  if (wasTold(during)) return trouble.id === 'gzip' ? offeredGzip(during, place) : undefined;
  if (!isDone(during))
    return timedFault(
      `${trouble.right === 'error' ? expected : 'an answer to the client'}, in bounded time`,
      describe(during.result),
      during,
    );
  if (trouble.right === 'either') return success?.(steps, during, trouble);
  // A server that retried until the call succeeded is right to answer with success.
  if (isAcknowledged(during, place)) return undefined;
  if (success) return success(steps, during, trouble);
  return fault(expected, 'the client was told that it succeeded', during);
}

/** Judges an error after a reply in gzip: a server that offers gzip must also understand it. */
function offeredGzip(during: PlayedStep, { method }: Place): Judgement {
  if (!sentTo(during, method).some(offersGzip)) return undefined;
  return {
    ...timedFault(
      'the step succeeds: the request offered gzip by Accept-Encoding, and the reply came in gzip',
      describe(during.result),
      during,
    ),
    advice: 'Unpack replies in gzip, or leave Accept-Encoding out of the request.',
  };
}

/** Whether the request accepts gzip. A quality of 0 (`gzip;q=0`) means that it does not. */
function offersGzip({ request }: PlayedStep['exchanges'][number]): boolean {
  return request.headers.some(
    ([name, value]) =>
      name.toLowerCase() === 'accept-encoding' && /\b(gzip|\*)(?!\s*;\s*q=0(\.0*)?\b)/i.test(value),
  );
}

/** After another trouble the server may have stopped calling, although the control succeeded. */
function stillBroken(during: PlayedStep, { method }: Place): Judgement {
  if (isDone(during) || sentTo(during, method).length > 0) return undefined;
  return timedFault(
    'the EHR server is called again after an earlier failure',
    `${describe(during.result)}, and the EHR server was not called`,
    during,
  );
}

/** Judges whether `next`, the attempt after the trouble in the step `bad`, succeeds. */
function recovers(bad: PlayedStep, next: PlayedStep, place: Place, { right }: Trouble): Judgement {
  if (place.next) return place.next(next);
  // The call in trouble was carried out. Whether its repeat must succeed then is an open point (decision 38).
  if (wasTold(next) && isAcknowledged(next, place)) return undefined;
  if (!isDone(next)) return timedFault('the next attempt succeeds', describe(next.result), next);
  // A strange reply that was understood left nothing to do.
  if (right === 'either' && isDone(bad)) return undefined;
  if ([bad, next].some((played) => isAcknowledged(played, place))) return undefined;
  return unclear('the next attempt succeeded, but the EHR server acknowledged no call for it', next);
}

function isAcknowledged(played: PlayedStep, { method }: Place): boolean {
  return sentTo(played, method).some(
    ({ fault, facts: { reply } }) =>
      fault === undefined && (reply?.result || reply?.reason === 'token_already_stored'),
  );
}

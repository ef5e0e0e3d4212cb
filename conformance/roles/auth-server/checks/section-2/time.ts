/** Lifetimes: those told, those sent to the EHR server, and when sessions really end (§2.3, §2.4). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  refusedStep,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import { part } from '../../flows/scenario.ts';
import { exchangeTokenTime, sessionTime } from '../../flows/sessions/time.ts';

const { steps } = sessionTime;
const control = part(steps.link, 'exchange token');

/** Explains why a step about the end of a session was not played. */
function notTried(journal: JournalView, { scenario }: typeof steps.afterEnd): Finding {
  const ending = journal.ending(scenario);
  if (!ending || ending.absent || ending.stopped) return notRun(journal, steps.afterEnd);
  return notApplicable(
    toldTtl(journal) === undefined
      ? 'the adapter extracts no ttl from the sign-in and has no step expireSession, so nobody knows when the session ends'
      : 'the adapter has neither a step advanceClock nor expireSession, and a whole session is not waited for',
  );
}

/** The minutes that the client was told for the session whose end is tried. */
export function toldTtl(journal: JournalView): number | undefined {
  const result = journal.step(steps.signIn)?.result;
  return result?.kind === 'done' && result.values.ttl !== undefined ? Number(result.values.ttl) : undefined;
}

function judgeLives(journal: JournalView): Finding {
  const [good, before] = [journal.step(control), journal.step(steps.beforeEnd)];
  if (!before) return notTried(journal, steps.beforeEnd);
  if (good?.result.kind !== 'done') return inconclusive('the session got no exchange token at its beginning either');
  if (before.result.kind === 'done') return pass([...good.evidence, ...before.evidence]);
  const isInTime = journal.observations(steps.beforeEnd).at(-1)?.values.isInTime === true;
  if (before.result.kind !== 'refused' || !isInTime)
    return inconclusive(`a minute before the end of the session: ${describe(before.result)}`, before.evidence);
  const ttl = toldTtl(journal) ?? 0;
  const [inSeconds, afterwards] = [journal.step(steps.secondsBefore), journal.step(steps.secondsAfter)];
  const countsSeconds = inSeconds?.result.kind === 'done' && afterwards?.result.kind === 'refused';
  return fail({
    expected: `a session that lives ${ttl} minutes, as its client was told`,
    actual: countsSeconds
      ? `it lives ${ttl} seconds: the ttl that is told counts seconds`
      : 'a minute before that it was refused',
    evidence: [...before.evidence, ...(inSeconds?.evidence ?? []), ...(afterwards?.evidence ?? [])],
    // A clock that moves while the kit stands still may have ended the session.
    timeSensitive: true,
    advice: countsSeconds
      ? 'ttl counts minutes, to the client and to the EHR server: divide by 60.'
      : 'Tell the client, and send to the EHR server, the minutes that the session really lives.',
  });
}

function judgeSent(journal: JournalView): Finding {
  const played = journal.step(control);
  if (!played) return notRun(journal, control);
  const told = toldTtl(journal);
  if (told === undefined) return notApplicable('the adapter extracts no ttl from the sign-in');
  const [save] = sentTo(played, SAVE_EXCHANGE_TOKEN).flatMap(({ at, facts: { call } }) =>
    call?.ttl === undefined ? [] : [{ at, sent: call.ttl }],
  );
  if (!save) return inconclusive('no call carried the ttl of the session', played.evidence);
  const { at, sent } = save;
  const passed = (at - (journal.step(steps.signIn)?.endedAt ?? at)) / 60_000;
  // A server may round a begun minute up or down.
  if (sent <= told && sent >= told - passed - 1) return pass(played.evidence);
  return fail({
    expected: `about ${told}, as the client was told a moment before`,
    actual: `ttl is ${sent}`,
    evidence: played.evidence,
    advice:
      'Send what is left of the session in minutes, and tell the client the same: else one of the two goes on with a session that the other has ended.',
  });
}

function judgeNotAgain(journal: JournalView): Finding {
  const all = [exchangeTokenTime.steps.first, exchangeTokenTime.steps.inTime, exchangeTokenTime.steps.afterwards];
  const played = all.flatMap((label) => journal.step(label) ?? []);
  if (played.length === 0) {
    const ending = journal.ending(exchangeTokenTime.id);
    if (!ending || ending.absent || ending.stopped) return notRun(journal, exchangeTokenTime.steps.first);
    return notApplicable(
      'the adapter has no step advanceClock, or sessions live shorter: the ten minutes of an exchange token are not waited for',
    );
  }
  const tokens = played.flatMap(({ result }) => (result.kind === 'done' ? [result.values.exchangeToken ?? ''] : []));
  const evidence = played.flatMap((each) => each.evidence);
  if (new Set(tokens).size < tokens.length)
    return fail({
      expected: 'a token of its own for each request, before the ten minutes have run out and after',
      actual: 'a token was given again',
      evidence,
      advice: 'Draw a fresh random token for every request, and keep none to be given again.',
    });
  if (tokens.length < all.length) return inconclusive('not every request was given an exchange token', evidence);
  return pass(evidence);
}

export const timeChecks: readonly Check[] = [
  check({
    id: 'expired-session-refused',
    title: 'After its ttl a session gets no exchange token',
    requirements: ['K-session-expires'],
    scenarios: [sessionTime],
    judge: (journal) =>
      journal.step(steps.afterEnd)
        ? refusedStep(journal, {
            control,
            attempt: steps.afterEnd,
            expected: 'the session is refused',
            advice: 'Compare the end of the session with your clock wherever a session is verified.',
            nothingSent: true,
          })
        : notTried(journal, steps.afterEnd),
  }),
  check({
    id: 'expired-session-not-saved',
    title: 'After its ttl a session is not saved at the EHR server',
    requirements: ['K-session-expires'],
    scenarios: [sessionTime],
    judge(journal) {
      if (!journal.step(steps.afterEnd)) return notTried(journal, steps.afterEnd);
      if (!journal.step(steps.reportAfter))
        return notApplicable('the adapter declares that the server has no reportLink');
      return refusedStep(journal, {
        control: part(steps.link, 'report'),
        attempt: steps.reportAfter,
        expected: 'the report is refused',
        advice: 'Compare the end of the session with your clock wherever a session is verified.',
        nothingSent: true,
      });
    },
  }),
  check({
    id: 'session-lives-as-told',
    title: 'A session lives for as many minutes as its client was told',
    requirements: ['2.3-ttl', 'D9-ttl-minutes'],
    scenarios: [sessionTime],
    judge: judgeLives,
  }),
  check({
    id: 'ttl-sent-as-told',
    title: 'The EHR server is sent the ttl that the client was told a moment before',
    requirements: ['2.3-ttl', 'D9-ttl-minutes'],
    scenarios: [sessionTime],
    judge: judgeSent,
  }),
  check({
    id: 'exchange-token-not-given-again',
    title: 'No exchange token is given again, neither in its ten minutes nor after them',
    requirements: ['1-exchange-token-to-client', 'DE-exchange-token-already-stored'],
    scenarios: [exchangeTokenTime],
    judge: judgeNotAgain,
  }),
];

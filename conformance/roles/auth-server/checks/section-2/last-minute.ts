/** The ttl that the EHR server gets at the end of a session (§2.3). */

import { type Check, check } from '../../../../engine/check/check.ts';
import {
  fail,
  inconclusive,
  notApplicable,
  notRun,
  pass,
  SAVE_EXCHANGE_TOKEN,
  sentTo,
} from '../../../../engine/check/judging.ts';
import { first, type RedChange } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { describe } from '../../../../engine/journal/describe-result.ts';
import type { JournalView, PlayedStep } from '../../../../engine/journal/view.ts';
import type { Label } from '../../flows/scenario.ts';
import { sessionTime } from '../../flows/sessions/time.ts';
import { toldTtl } from './time.ts';

const { steps } = sessionTime;

/** The ttl that a step sent, with the call. */
function sentIn(played: PlayedStep): { ttl: number; seq: number } | undefined {
  const save = sentTo(played, SAVE_EXCHANGE_TOKEN).find(({ facts }) => facts.call?.ttl !== undefined);
  return save && { ttl: save.facts.call?.ttl as number, seq: save.seq };
}

/** Judges the rest of the session where the clock could be moved to its end. */
function atEnd(
  journal: JournalView,
  label: Label,
  judge: (sent: { ttl: number; seq: number }, played: PlayedStep) => Finding,
): Finding {
  const played = journal.step(label);
  if (!played) {
    const ending = journal.ending(sessionTime.id);
    if (!ending || ending.absent || ending.stopped) return notRun(journal, label);
    return notApplicable('the session was not followed to its last minute');
  }
  const sent = sentIn(played);
  if (sent) return judge(sent, played);
  return inconclusive(`no ttl was sent to the EHR server (${describe(played.result)})`, played.evidence);
}

/**
 * One minute is left, and a server may count the begun minute and round up. A clock that is moved for several
 * scenarios is not known to the minute, so what counts as the whole begins at half of what was told.
 */
const MAX_MINUTES_LEFT = 3;
const mostLeft = (journal: JournalView) => Math.max(MAX_MINUTES_LEFT, (toldTtl(journal) ?? 0) / 2);

const sends =
  (label: Label, ttl: number): RedChange =>
  ({ entries, exchanges }) => {
    const step = first(entries.filter((entry) => entry.kind === 'step' && entry.label === label.label));
    const save = first(exchanges('auth->ehr', SAVE_EXCHANGE_TOKEN).filter(({ seq }) => seq > step.seq));
    if (save.facts.call) save.facts.call.ttl = ttl;
  };

export const lastMinuteChecks: readonly Check[] = [
  check({
    id: 'ttl-positive-to-the-end',
    title: 'In the last minute of a session the EHR server is sent a ttl of at least 1',
    requirements: ['2.3-ttl', 'D9-ttl-minutes'],
    scenarios: [sessionTime],
    judge: (journal) =>
      atEnd(journal, steps.lastMoment, ({ ttl, seq }, played) => {
        if (ttl < 1)
          return fail({
            expected: 'at least 1, as long as the session lives',
            actual: `ttl is ${ttl}`,
            evidence: [...played.evidence, seq],
            advice: 'Round up the minutes that are left of a session, or send at least 1.',
          });
        return played.result.kind === 'done'
          ? pass(played.evidence)
          : inconclusive(`the request did not succeed (${describe(played.result)})`, played.evidence);
      }),
    red: sends(steps.lastMoment, 0),
  }),
  check({
    id: 'ttl-counts-down',
    title: 'At the end of a session the EHR server is sent what is left of it, not its whole ttl',
    level: 'SHOULD',
    requirements: ['2.3-ttl', 'D9-ttl-minutes'],
    scenarios: [sessionTime],
    judge: (journal) =>
      atEnd(journal, steps.beforeEnd, ({ ttl, seq }, played) =>
        ttl <= mostLeft(journal)
          ? pass(played.evidence)
          : fail({
              expected: 'the one minute that is left, or one more',
              actual: `ttl is ${ttl}`,
              evidence: [...played.evidence, seq],
              advice:
                'Send what is left of the session in minutes with every call: else the EHR server goes on with a session that has ended.',
            }),
      ),
  }),
];

/** Judges the tokens that are sent to the EHR server more than once. */

import { fail, inconclusive, pass, SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN } from '../../../engine/check/judging.ts';
import type { Finding } from '../../../engine/check/verdict.ts';
import type { ExchangeEntry } from '../../../engine/journal/entry.ts';
import type { JournalView } from '../../../engine/journal/view.ts';
import { sessionsOf } from './given-values.ts';

/** Requires that no token serves two sessions, nor is repeated in a step after it was called taken. */
export function judgeTokenSaves(journal: JournalView): Finding {
  const saves = [SAVE_AUTH_INFO, SAVE_EXCHANGE_TOKEN].flatMap((method) => journal.exchanges('auth->ehr', method));
  const byValue = new Map<string, ExchangeEntry[]>();
  for (const save of saves) {
    const { method, exchangeToken, token } = save.facts.call ?? {};
    const value = method === SAVE_EXCHANGE_TOKEN ? exchangeToken : token;
    if (value !== undefined) byValue.set(`${method} ${value}`, [...(byValue.get(`${method} ${value}`) ?? []), save]);
  }
  if (byValue.size === 0) return inconclusive('no token was sent to the EHR server');
  const given = new Set(sessionsOf(journal).map(({ token }) => token));
  for (const same of byValue.values()) {
    const [first, ...later] = same;
    for (const save of later) {
      const actual = first && wrongAgain(journal, first, save, given);
      if (actual !== undefined)
        return fail({
          expected: 'a token that was sent before comes again only for the same session, unchanged',
          actual,
          evidence: [first?.seq ?? 0, save.seq],
          advice:
            'When the EHR server says that a token is stored already, draw a new one, and send that with its authInfo.',
        });
    }
  }
  return pass(saves.slice(0, 3).map(({ seq }) => seq));
}

function wrongAgain(
  journal: JournalView,
  first: ExchangeEntry,
  again: ExchangeEntry,
  given: ReadonlySet<string>,
): string | undefined {
  const [one, two] = [first.facts.call, again.facts.call];
  const what = one?.exchangeToken === undefined ? 'session token' : 'exchange token';
  if (one?.user !== two?.user || one?.token !== two?.token)
    return `one ${what} was sent for two sessions, with another user or token in authInfo`;
  const [step, other] = [journal.stepOf(first), journal.stepOf(again)];
  if (!step || step !== other) return undefined;
  if (one?.ttl !== two?.ttl) return `one ${what} was sent twice, with ttl ${one?.ttl} and ${two?.ttl}`;
  const wasTaken = first.facts.reply?.reason?.endsWith('already_stored') ?? false;
  // A session that the client has may be reported again; a token that is still being drawn may not.
  const isNew = what === 'exchange token' || !given.has(one?.token ?? '') || step.step.step === 'confirmOtp';
  return wasTaken && isNew
    ? `one ${what} was sent again after the EHR server had said that it is stored already`
    : undefined;
}

/** No reply of a run tells what belongs to somebody else: users, tokens, signatures, records. */
import type { Check } from '../../../../engine/check/check.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import { WATCHED } from '../../../../engine/cli/watched.ts';
import type { ObservationEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { EhrCheck } from '../../check.ts';
import { REPLIES_SEARCHED } from '../../world/world.ts';

const TITLE = 'No reply tells a user, a token, a user_sign or a record that belongs to somebody else';

/** The check of all replies, which the kit searched as they came. */
export function toldOfOthers(checks: readonly EhrCheck[]): Check {
  const scenarios = checks.map(({ scenario }) => scenario.id);
  return {
    id: 'replies-tell-nothing-of-others',
    title: TITLE,
    level: 'MUST',
    requirements: ['X-others-untold', '4.4-record-and-sign'],
    scenarios,
    watchable: true,
    judge: (journal) => judged(journal, scenarios),
    red({ entries }) {
      for (const entry of entries)
        if (entry.kind === 'observation' && entry.label === REPLIES_SEARCHED)
          Object.assign(entry, { values: { ...entry.values, told: 'the session token of another user' } });
    },
  };
}

function judged(journal: JournalView, scenarios: readonly string[]): Finding {
  const all = [...scenarios, WATCHED].flatMap((scenario) =>
    journal.observations({ scenario, label: REPLIES_SEARCHED }),
  );
  const searched = all.filter(({ values }) => Number(values.searched) > 0);
  if (searched.length === 0) return { outcome: 'not applicable', because: 'no reply was searched' };
  const found = searched.filter(({ values }) => values.told !== '');
  const [first] = found;
  if (!first) {
    const shown = searched.flatMap(
      (each) => seqOf(each) ?? journal.stepsOf({ id: each.scenario })[0]?.evidence ?? [],
    );
    return { outcome: 'pass', evidence: shown.slice(0, MAX_EVIDENCE) };
  }
  const steps = found.flatMap(({ scenario, values }) =>
    journal.steps({ scenario, label: String(values.step) }),
  );
  const shown = steps.length > 0 ? steps : journal.stepsOf({ id: first.scenario });
  const seqs = found.flatMap((each) => seqOf(each) ?? []);
  const words = [...new Set(found.map(({ values }) => `${values.told}, in the answer to "${values.step}"`))];
  return {
    outcome: 'fail',
    expected: 'replies about the user of the call alone',
    actual: `${words.slice(0, 3).join('; ')} (${found.length} times)`,
    evidence: [...shown.flatMap(({ evidence }) => evidence), ...seqs].slice(0, MAX_EVIDENCE),
    blame: 'EHR server',
    advice:
      'Put into a reply what belongs to the user of the call, and name no other user or patient in an error.',
  };
}

/** The number of the message, in a watched session. */
const seqOf = ({ values }: ObservationEntry): number[] | undefined =>
  typeof values.seq === 'number' ? [values.seq] : undefined;

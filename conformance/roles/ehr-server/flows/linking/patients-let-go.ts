/** A patient whose link was removed is free: noticed where a later scenario wants to link that patient. */
import type { Check } from '../../../../engine/check/check.ts';
import { first } from '../../../../engine/check/red-change.ts';
import type { Finding } from '../../../../engine/check/verdict.ts';
import { MAX_EVIDENCE } from '../../../../engine/check/verdict.ts';
import type { Entry, ObservationEntry } from '../../../../engine/journal/entry.ts';
import type { JournalView } from '../../../../engine/journal/view.ts';
import type { EhrCheck } from '../../check.ts';
import { PATIENT_HELD } from '../../world/leftovers.ts';

/** The check of what scenarios leave behind. Those that meet it are played with another patient. */
export function patientsLetGo(checks: readonly EhrCheck[]): Check {
  const scenarios = checks.map(({ scenario }) => scenario.id);
  return {
    id: 'patients-let-go',
    title:
      'A patient is linked to the user whom the exchange token names, and free again when that link is removed',
    level: 'MUST',
    requirements: ['D20-link-removed', 'D21-stored-user-only'],
    scenarios,
    watchable: false,
    judge: judged,
    red({ entries }) {
      const { seq, at, scenario } = first(entries.filter((entry) => entry.kind === 'outcome'));
      entries.push({
        kind: 'observation',
        seq,
        at,
        scenario,
        label: PATIENT_HELD,
        values: { met: scenario },
      });
    },
  };
}

function judged(journal: JournalView): Finding {
  const isHeld = (entry: Entry): entry is ObservationEntry =>
    entry.kind === 'observation' && entry.label === PATIENT_HELD;
  const held = journal.entries.filter(isHeld);
  const evidenceOf = (scenario: string) =>
    journal.stepsOf({ id: scenario }).flatMap(({ evidence }) => evidence);
  if (held.length === 0) {
    const links = journal.exchanges('client->ehr', 'embedded_storage.authenticate');
    if (links.length === 0) return { outcome: 'not applicable', because: 'nobody was linked' };
    return { outcome: 'pass', evidence: links.map(({ seq }) => seq).slice(0, MAX_EVIDENCE) };
  }
  const since = [...new Set(held.map(({ scenario }) => scenario))];
  return {
    outcome: 'fail',
    expected: 'patients who are free when the links that the kit made are removed',
    actual: `a patient stays linked to somebody, since the scenario ${since.join(', and another since ')}`,
    evidence: since.flatMap(evidenceOf).slice(0, MAX_EVIDENCE),
    blame: 'EHR server',
    advice:
      'Look at that scenario: authenticate linked a user whom its exchange token does not name, or a removal left the link. If somebody else uses these patients, name others in the file.',
  };
}

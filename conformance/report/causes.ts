/** Groups red verdicts by their cause, so that one fault is read once. */
import type { Entry, ExchangeEntry } from '../journal/entry.ts';
import { JournalView, type PlayedStep } from '../journal/view.ts';
import type { Verdict } from '../verdict.ts';

export type Cause = {
  /** One plain sentence. */
  cause: string;
  /** The check for the cause itself, if there is one. */
  check?: string | undefined;
  /** All checks that are red because of it, the check for the cause first. */
  checks: string[];
};

/**
 * Checks of single calls, by priority. When one of them finds a call that the EHR server refused, it is the
 * cause of the refusal and its consequences.
 */
export const CAUSES_OF_REFUSALS: readonly string[] = [
  'call-is-post-json',
  'call-path-has-version',
  'envelope',
  'cred-present',
  'auth-info-complete',
  'ttl-sane',
  'exchange-token-is-string',
  'only-internal-methods',
  'cred-user',
  'digest-shape',
  'exchange-token-digest',
  'user-sign-digest',
  'own-user-sign',
];

/** Checks that must fail whenever the key check fails. */
export const FOLLOWS_FROM: Readonly<Record<string, readonly string[]>> = {
  'phone-confirmed': ['wrong-code-refused', 'no-session-without-code'],
  'foreign-code-refused': ['wrong-code-refused'],
  'used-code-refused': ['wrong-code-refused'],
  'superseded-code-refused': ['wrong-code-refused'],
  'expired-code-refused': ['wrong-code-refused'],
  'tries-limited': ['wrong-code-refused'],
  'tries-kept-beside-others': ['tries-limited', 'wrong-code-refused'],
  'invented-session-refused': ['exchange-token-needs-session'],
  'mixed-session-refused': ['invented-session-refused'],
  'logged-out-session-refused': ['invented-session-refused'],
  'logged-out-session-not-saved': ['logged-out-session-refused'],
  'no-token-after-logout': ['logged-out-session-refused'],
  'code-works-once-at-once': ['used-code-refused'],
  'deleted-session-refused': ['invented-session-refused'],
  'cred-user': ['cred-present'],
  'digest-shape': ['cred-present'],
  'exchange-token-digest': ['digest-shape', 'cred-present'],
  'user-sign-digest': ['digest-shape', 'cred-present'],
  'ttl-sane': ['auth-info-complete'],
  'ttl-as-given': ['ttl-sane', 'auth-info-complete'],
  'second-returning-user-saved-directly': ['returning-user-saved-directly'],
  'returning-user-reads-record': ['returning-user-saved-directly', 'second-returning-user-saved-directly'],
};

/**
 * The cause of a check if another check shows it or several checks share it; undefined when the check is its
 * own cause.
 */
export function causeOf(check: string, causes: readonly Cause[]): Cause | undefined {
  const found = causes.find(({ checks }) => checks.includes(check));
  return found && found.check !== check && found.checks.length > 1 ? found : undefined;
}

/** A cause in one sentence, with the check that shows it. */
export function causeWords({ cause, check }: Cause): string {
  return check === undefined ? cause : `${check}: ${cause}`;
}

/** The causes of all red verdicts and warnings, in the order of the first check of each. Pure. */
export function causesOf(verdicts: readonly Verdict[], entries: readonly Entry[]): Cause[] {
  const red = verdicts.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
  const search = new Search(red, new JournalView(entries));
  const groups = new Map<string, Cause>();
  for (const verdict of red) {
    const { key, ...about } = search.causeOf(verdict);
    const group = groups.get(key);
    if (group) group.checks.push(verdict.check);
    else groups.set(key, { ...about, checks: [verdict.check] });
  }
  return [...groups.values()].map((group) => ({
    ...group,
    checks: [...group.checks].sort((a, b) => Number(b === group.check) - Number(a === group.check)),
  }));
}

type Found = { key: string; cause: string; check?: string };

class Search {
  readonly #red: ReadonlyMap<string, Verdict>;
  readonly #journal: JournalView;

  constructor(red: readonly Verdict[], journal: JournalView) {
    this.#red = new Map(red.map((verdict) => [verdict.check, verdict]));
    this.#journal = journal;
  }

  causeOf(verdict: Verdict): Found {
    const earlier = this.#followsFrom(verdict);
    if (earlier) return this.causeOf(earlier);
    const { finding, check } = verdict;
    const death = this.#deathBehind(verdict);
    if (death !== undefined) return { key: `died ${death.seq}`, cause: death.cause };
    if (finding.outcome === 'inconclusive') {
      const stopped = this.#stoppedScenario(verdict);
      const where = stopped === undefined ? '' : `the scenario ${stopped} could not go on: `;
      return { key: `because ${finding.because}`, cause: `${where}${finding.because}` };
    }
    const actual = finding.outcome === 'fail' ? `: ${finding.actual}` : '';
    return { key: check, cause: `"${verdict.title}" does not hold${actual}`, check };
  }

  /** A failure that causes this one. */
  #followsFrom(verdict: Verdict): Verdict | undefined {
    const failed = (check: string) => {
      const found = this.#red.get(check);
      return found?.finding.outcome === 'fail' ? found : undefined;
    };
    for (const name of FOLLOWS_FROM[verdict.check] ?? []) {
      const found = failed(name);
      if (found) return found;
    }
    if (CAUSES_OF_REFUSALS.includes(verdict.check)) return undefined;
    const refusals = new Set(this.#refusalsBehind(verdict).map(refusalOf));
    if (refusals.size === 0) return undefined;
    for (const name of CAUSES_OF_REFUSALS) {
      const found = failed(name);
      if (found && this.#refusalsIn(evidenceOf(found)).some((each) => refusals.has(refusalOf(each)))) return found;
    }
    return undefined;
  }

  /** Calls that the EHR server itself refused, in the evidence of a verdict or of its stopped scenario. */
  #refusalsBehind(verdict: Verdict): ExchangeEntry[] {
    const shown = this.#refusalsIn(evidenceOf(verdict));
    if (shown.length > 0) return shown;
    const stopped = this.#stoppedScenario(verdict);
    const steps = stopped === undefined ? [] : this.#journal.stepsOf({ id: stopped });
    const last = steps.filter(({ step, result }) => step.defect === undefined && result.kind !== 'done').at(-1);
    return last ? this.#refusalsIn(new Set(last.evidence)) : [];
  }

  #refusalsIn(evidence: ReadonlySet<number>): ExchangeEntry[] {
    return this.#journal
      .exchanges('auth->ehr')
      .filter(({ seq, fault, facts }) => evidence.has(seq) && fault === undefined && facts.reply?.result !== true);
  }

  #stoppedScenario({ finding, scenarios }: Verdict): string | undefined {
    if (finding.outcome !== 'inconclusive') return undefined;
    return scenarios.find((name) => this.#journal.ending(name)?.stopped?.because === finding.because);
  }

  /** The death of the server under test, if a step failed between it and the next start. */
  #deathBehind(verdict: Verdict): { seq: number; cause: string } | undefined {
    const evidence = evidenceOf(verdict);
    const events = this.#journal.serverEvents;
    const broken = this.#journal.entries.filter(
      (entry) => entry.kind === 'outcome' && evidence.has(entry.seq) && entry.result.kind === 'failed',
    );
    for (const { seq } of broken) {
      const event = events.filter((each) => each.seq < seq).at(-1);
      if (event && event.event !== 'started')
        return { seq: event.seq, cause: `the server under test ${event.ended ?? 'could not be reached any more'}` };
    }
    return undefined;
  }
}

function evidenceOf({ finding }: Verdict): ReadonlySet<PlayedStep['evidence'][number]> {
  return new Set(('evidence' in finding && finding.evidence) || []);
}

/** Identifies a refusal: calls of one method that were refused in the same way have the same fault. */
function refusalOf({ facts, response }: ExchangeEntry): string {
  return JSON.stringify([facts.call?.method, facts.reply?.code, facts.reply?.reason, response?.status]);
}

/** Verdicts and journals from which a test makes the causes of a report. */
import type { Finding, Verdict } from '../../check/verdict.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Facts } from '../../journal/facts.ts';
import { causesOf } from '../causes/causes.ts';
import type { FakeJournal } from './fake-journal.ts';

export const SAVE = 'embedded_storage.save_auth_info';
export const READ = 'patient.get_patient';
const call = (method: string) => ({ method, idType: 'string', jsonrpc: '2.0', params: {} });
export const refused = (method: string): Facts => ({
  call: call(method),
  reply: { result: false, code: -33000, reason: 'not_authorized' },
});
export const succeeded = (method: string): Facts => ({ call: call(method), reply: { result: true } });
export const REFUSAL = { kind: 'refused', status: 200, code: '-33000', reason: 'not_authorized' } as const;
export const REFUSED_WORDS = 'it was refused with HTTP 200, code -33000 (not_authorized)';

type GivenRun = Partial<Finding & { outcome: 'fail' }> & { because?: string };

export function verdict(
  check: string,
  given: GivenRun | { outcome: 'inconclusive'; because: string },
  about = {},
): Verdict {
  const finding = {
    ...{ outcome: 'fail', expected: 'x', actual: `${check} is wrong`, because: 'no reason', evidence: [] },
    ...{ blame: 'auth server', advice: `Mend ${check}.`, ...given },
  } as Finding;
  const named = { check, title: `${check} holds`, level: 'MUST', requirements: [check], scenarios: [check] };
  return { ...named, outcome: finding.outcome, ...about, finding } as unknown as Verdict;
}

type FakeResult = Parameters<FakeJournal['step']>[1];

export function step(
  journal: FakeJournal,
  scenario: string,
  facts: Facts,
  result: FakeResult,
  count = 1,
): number[] {
  let evidence: number[] = [];
  journal.scenario(scenario, () => {
    for (let played = 0; played < count; played++) {
      const about = { user: 'Ann', step: 'getPatient', label: `${scenario}: read` } as const;
      evidence = journal.step(
        about,
        result,
        () => void journal.exchange('client->ehr', { facts, reply: {} }),
      );
    }
  });
  return evidence;
}

/** The journal as the kit's own calls are in it: each names its step. */
export function withSteps({ entries }: FakeJournal): Entry[] {
  let step: number | undefined;
  return entries.map((entry) => {
    if (entry.kind === 'step') step = entry.seq;
    return entry.kind === 'exchange' && step !== undefined ? { ...entry, step } : entry;
  });
}

export const checksOf = (verdicts: readonly Verdict[], journal: FakeJournal) =>
  causesOf(verdicts, withSteps(journal)).map(({ checks }) => checks);

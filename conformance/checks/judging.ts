/** The shapes that most checks have, so that each check states only what is its own. */
import type { ExchangeEntry } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import { describe } from '../stage/stage.ts';
import type { Finding } from '../verdict.ts';

type Fail = Finding & { outcome: 'fail' };

/** A failure of the authorization server. */
export function failed(expected: string, actual: string, evidence: number[], advice: string): Fail {
  return { outcome: 'fail', expected, actual, evidence, blame: 'auth server', advice };
}

export function inconclusive(because: string, evidence: number[] = []): Finding {
  return { outcome: 'inconclusive', because, evidence, blame: 'auth server' };
}

/** Why a scenario gives nothing to judge: declared absent, never played, or stopped before what matters. */
export function unplayed(journal: JournalView, scenario: string): Finding {
  const ending = journal.ending(scenario);
  if (ending?.absent)
    return {
      outcome: 'not applicable',
      because: `the adapter declares that the server has no ${ending.absent.join(', ')}`,
    };
  if (!ending) return { outcome: 'inconclusive', because: `the scenario ${scenario} was not played`, blame: 'harness' };
  if (ending.stopped) return { outcome: 'inconclusive', ...ending.stopped };
  return { outcome: 'not applicable', because: `the set-up gave no way to play this part of ${scenario}` };
}

/** The step ought to be done. */
export function doneStep(
  journal: JournalView,
  scenario: string,
  label: string,
  expected: string,
  advice: string,
): Finding {
  const played = journal.step(scenario, label);
  if (!played) return unplayed(journal, scenario);
  if (played.result.kind === 'done') return { outcome: 'pass', evidence: played.evidence };
  return failed(expected, describe(played.result), played.evidence, advice);
}

export type Refusal = {
  scenario: string;
  /** The same request without the defect, which must have succeeded in this run. */
  control: string;
  attempt: string;
  expected: string;
  advice: string;
  /** Whether the EHR server must not have been called meanwhile. */
  nothingSent?: boolean;
};

/**
 * The attempt ought to be refused. Green only if the same request without its defect succeeded, and if the refusal was
 * one: neither a crash nor a time-out nor an answer that says nothing.
 */
export function refusedStep(
  journal: JournalView,
  { scenario, control, attempt, expected, advice, nothingSent = false }: Refusal,
): Finding {
  const good = journal.step(scenario, control);
  const bad = journal.step(scenario, attempt);
  if (!good || !bad) return unplayed(journal, scenario);
  const evidence = [...good.evidence, ...bad.evidence];
  if (good.result.kind !== 'done') {
    return inconclusive(
      `the control "${control}", which ought to succeed, did not (${describe(good.result)}), so a refusal proves nothing`,
      evidence,
    );
  }
  if (bad.result.kind === 'done') return failed(expected, 'it succeeded', bad.evidence, advice);
  if (bad.result.kind === 'failed') {
    const broken = bad.result.what === 'server-error' || bad.result.what === 'unexpected-answer';
    const actual = `no refusal but a failure (${describe(bad.result)})`;
    return broken
      ? failed(`${expected}, by an error that a client can understand`, actual, bad.evidence, advice)
      : inconclusive(actual, bad.evidence);
  }
  if (bad.result.kind === 'absent') return unplayed(journal, scenario);
  const sent = bad.exchanges.filter(({ link }) => link === 'auth->ehr');
  if (nothingSent && sent.length > 0) {
    const methods = sent.map(({ facts }) => facts.call?.method ?? 'something').join(', ');
    return failed('nothing is sent to the EHR server', `${methods} was sent all the same`, bad.evidence, advice);
  }
  return { outcome: 'pass', evidence };
}

/** Every one of `exchanges` ought to be right; none at all proves nothing. */
export function allOf(
  exchanges: readonly ExchangeEntry[],
  wrong: (exchange: ExchangeEntry) => string | undefined,
  { expected, advice, nothing }: { expected: string; advice: string; nothing: string },
): Finding {
  if (exchanges.length === 0) return inconclusive(nothing);
  const found = exchanges.flatMap((exchange) => {
    const what = wrong(exchange);
    return what === undefined ? [] : [{ seq: exchange.seq, what }];
  });
  if (found.length === 0) return { outcome: 'pass', evidence: exchanges.map(({ seq }) => seq).slice(0, 5) };
  const kinds = [...new Set(found.map(({ what }) => what))];
  const actual = `${kinds.slice(0, 4).join('; ')}${kinds.length > 4 ? '; …' : ''} (${found.length} of ${exchanges.length} calls)`;
  return failed(expected, actual, found.map(({ seq }) => seq).slice(0, 5), advice);
}

/** The exchanges of a played step that went to the EHR server with this method. */
export function sentTo(played: PlayedStep, method: string): ExchangeEntry[] {
  return played.exchanges.filter(({ link, facts }) => link === 'auth->ehr' && facts.call?.method === method);
}

export const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
export const NO_INTERNAL_CALLS = 'the server under test sent no call to the EHR server';

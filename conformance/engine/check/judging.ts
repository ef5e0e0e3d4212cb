/** Common forms of judging, so that each check states only what is special about it. */

import { describe } from '../journal/describe-result.ts';
import type { ExchangeEntry, Label, StepResult } from '../journal/entry.ts';
import type { JournalView, PlayedStep } from '../journal/view.ts';
import type { Finding } from './verdict.ts';

export type Failure = {
  expected: string;
  actual: string;
  /** `seq` of the entries that show it. */
  evidence: number[];
  /** What the integrator should do, in one or two sentences. */
  advice: string;
  /** Whether a slow machine could be the cause: a required step failed, or an answer came late. */
  timeSensitive?: boolean;
};

/** Makes a finding that blames the authorization server. */
export function fail(failure: Failure): Finding & { outcome: 'fail' } {
  return { outcome: 'fail', ...failure, blame: 'auth server' };
}

export function pass(evidence: number[]): Finding {
  return { outcome: 'pass', evidence };
}

export function notApplicable(because: string): Finding {
  return { outcome: 'not applicable', because };
}

export function inconclusive(because: string, evidence: number[] = []): Finding {
  return { outcome: 'inconclusive', because, evidence, blame: 'auth server' };
}

/** Explains why a scenario gives nothing to judge: declared absent, never run, or stopped before the step. */
export function notRun(journal: JournalView, { scenario }: Label): Finding {
  const ending = journal.ending(scenario);
  if (ending?.absent) return notApplicable(`the adapter declares that the server has no ${ending.absent.join(', ')}`);
  if (!ending) return { outcome: 'inconclusive', because: `the scenario ${scenario} was not played`, blame: 'harness' };
  if (ending.stopped) return { outcome: 'inconclusive', ...ending.stopped };
  return notApplicable(`the set-up gave no way to play this part of ${scenario}`);
}

/** Requires that the step is done. */
export function doneStep(
  journal: JournalView,
  label: Label,
  { expected, advice }: Pick<Failure, 'expected' | 'advice'>,
): Finding {
  const played = journal.step(label);
  if (!played) return notRun(journal, label);
  if (played.result.kind === 'done') return pass(played.evidence);
  return fail({ expected, actual: describe(played.result), evidence: played.evidence, advice, timeSensitive: true });
}

export type Refusal = {
  /** The same request without its mistake, which must have succeeded in this run. */
  control: Label;
  attempt: Label;
  expected: string;
  advice: string;
  /** Whether the EHR server must not have been called meanwhile. */
  nothingSent?: boolean;
};

/**
 * Requires that the attempt is refused. Passes only if the same request without its mistake succeeded, and if
 * it was a real refusal: no crash, no timeout, no meaningless answer.
 */
export function refusedStep(
  journal: JournalView,
  { control, attempt, expected, advice, nothingSent = false }: Refusal,
): Finding {
  const good = journal.step(control);
  // Of repeated attempts the worst counts: one that succeeded.
  const tried = journal.steps(attempt);
  const bad = tried.find(({ result }) => result.kind === 'done') ?? tried[0];
  if (!bad) return notRun(journal, attempt);
  // A successful attempt is proof, whatever happened to the control.
  if (bad.result.kind === 'done') return fail({ expected, actual: 'it succeeded', evidence: bad.evidence, advice });
  if (!good) return notRun(journal, control);
  const evidence = [...good.evidence, ...bad.evidence];
  if (good.result.kind !== 'done') {
    return inconclusive(
      `the control "${control.label}", which ought to succeed, did not (${describe(good.result)}), so a refusal proves nothing`,
      evidence,
    );
  }
  if (bad.result.kind === 'failed') return failedInstead(bad, bad.result, { expected, advice });
  if (bad.result.kind === 'absent') return notRun(journal, attempt);
  const sent = bad.exchanges.filter(({ link }) => link === 'auth->ehr');
  if (nothingSent && sent.length > 0) {
    const methods = sent.map(({ facts }) => facts.call?.method ?? 'something').join(', ');
    return fail({
      expected: 'nothing is sent to the EHR server',
      actual: `${methods} was sent all the same`,
      evidence: bad.evidence,
      advice,
    });
  }
  return pass(evidence);
}

/**
 * An attempt that was to be refused broke: by the server's fault, or by one that shows nothing. A server that
 * never answers the wrong request, and answers the right one, leaves its clients waiting.
 */
function failedInstead(
  { exchanges, evidence }: PlayedStep,
  result: Extract<StepResult, { kind: 'failed' }>,
  { expected, advice }: Pick<Refusal, 'expected' | 'advice'>,
): Finding {
  const actual = `no refusal but a failure (${describe(result)})`;
  const isUnanswered =
    result.what === 'timeout' && exchanges.some(({ link, response }) => link === 'client->auth' && !response);
  if (!isUnanswered && result.what !== 'server-error' && result.what !== 'unexpected-answer')
    return inconclusive(actual, evidence);
  return fail({
    expected: `${expected}, by an error that a client can understand`,
    actual,
    evidence,
    advice,
    timeSensitive: true,
  });
}

/** Limits the entries that a verdict names as evidence. */
export const MAX_EVIDENCE = 8;

/** The calls of a step to the EHR server with this method. */
export function sentTo(played: PlayedStep, method: string): ExchangeEntry[] {
  return played.exchanges.filter(({ link, facts }) => link === 'auth->ehr' && facts.call?.method === method);
}

/** Whether the client got an error that it can understand. */
export function wasTold({ result }: PlayedStep): boolean {
  return result.kind === 'refused' || (result.kind === 'failed' && result.what === 'server-error');
}

/** Describes how the EHR server answered an exchange; never says "undefined". */
export function replyWords({ facts: { reply }, response, broke }: ExchangeEntry): string {
  if (reply && !reply.result && reply.code === undefined) return 'answered with an error without a code';
  if (reply && !reply.result)
    return `refused with code ${reply.code}${reply.reason === undefined ? '' : ` (${reply.reason})`}`;
  if (response) return `answered with HTTP ${response.status}`;
  return broke === 'timeout' ? 'not answered' : 'not answered: the connection broke';
}

export const SAVE_AUTH_INFO = 'embedded_storage.save_auth_info';
export const SAVE_EXCHANGE_TOKEN = 'embedded_storage.save_exchange_token';
/** Whether the EHR server accepted a call: before, hardly an answer or a signature came of any. */
export const hasAcceptedCall = ({ internalCalls }: JournalView) =>
  internalCalls.some(({ facts }) => facts.reply?.result);
export const NO_ACCEPTED_CALL = 'the EHR server accepted no call of the server under test';
export const NO_INTERNAL_CALLS = 'the server under test sent no call to the EHR server';

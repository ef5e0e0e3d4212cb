/** The words for parties, messages and results that all reports share. */

import type { Finding, Outcome } from '../check/verdict.ts';
import type {
  CodeEntry,
  ExchangeEntry,
  Link,
  NoteEntry,
  ObservationEntry,
  OutcomeEntry,
  ServerEntry,
  SilenceEntry,
  StepEntry,
  StepResult,
} from '../journal/entry.ts';

/** The origin or the destination of a message. */
export type LaneName = 'client' | 'auth' | 'ehr' | 'sms';

/** How something ended: as it should, with a refusal, or broken; `plain` for neither. */
export type Tone = 'good' | 'refused' | 'broken' | 'plain';

export type Said = { text: string; tone: Tone };

export const laneNames: Readonly<Record<LaneName, string>> = {
  client: 'Client app',
  auth: 'Authorization server',
  ehr: 'EHR server',
  sms: 'SMS gateway',
};

/** Short names, for short lines. */
const shortNames: Readonly<Record<LaneName, string>> = {
  client: 'client',
  auth: 'auth server',
  ehr: 'EHR server',
  sms: 'SMS',
};

/** Outcomes in the order of reports, the worst first. */
export const outcomesInOrder = [
  'fail',
  'inconclusive',
  'warning',
  'pass',
  'not applicable',
] as const satisfies readonly Outcome[];

/** The sign of an outcome, for output without colours. */
export const outcomeSigns: Readonly<Record<Outcome, string>> = {
  fail: '✕',
  inconclusive: '?',
  warning: '!',
  pass: '✓',
  'not applicable': '–',
};

/** The entries (`seq`) that show a finding. */
export const evidenceOf = (finding: Finding): readonly number[] =>
  ('evidence' in finding && finding.evidence) || [];

/** What reports tell of a finding, each under a name of its own. */
export type FactName = 'expected' | 'actual' | 'undecided' | 'blame' | 'advice';

/**
 * The facts of a finding in the order of all reports; a pass and what does not apply have none.
 * @param advice what to do about its cause, where that is known
 */
export function factsOf(finding: Finding, advice?: string): (readonly [FactName, string])[] {
  if (finding.outcome === 'pass' || finding.outcome === 'not applicable') return [];
  const blame = ['blame', finding.blame] as const;
  if (finding.outcome === 'inconclusive') return [['undecided', finding.because], blame];
  const { expected, actual } = finding;
  return [['expected', expected], ['actual', actual], blame, ['advice', advice ?? finding.advice]];
}

/** The origin and the destination lane of a link. */
export function endsOf(link: Link): readonly [LaneName, LaneName] {
  return link.split('->') as [LaneName, LaneName];
}

/** The JSON-RPC method of a call, else its HTTP method and path. */
export function callOf({ facts, request }: ExchangeEntry): string {
  return facts.call?.method ?? `${request.method} ${request.path}`;
}

/** The answer to a call in a few words: its JSON-RPC outcome, else its HTTP status. */
export function answerOf({ response, facts, broke }: ExchangeEntry): Said {
  if (!response) return { text: broke ? brokenWords[broke] : 'no answer', tone: 'broken' };
  const reply = facts.call && facts.reply;
  const status = reply && response.status === 200 ? '' : `HTTP ${response.status}`;
  const outcome = reply && (reply.result ? 'result' : joined('error', number(reply.code), reply.reason));
  const text = joined(status, outcome);
  if (broke) return { text: `${text}, ${brokenWords[broke]}`, tone: 'broken' };
  if (response.status >= 500) return { text, tone: 'broken' };
  return { text, tone: (reply ? reply.result : response.status < 400) ? 'good' : 'refused' };
}

/** How a step ended for the client. */
export function resultOf(result: StepResult): Said {
  switch (result.kind) {
    case 'done':
      return { text: 'done', tone: 'good' };
    case 'refused': {
      const status = result.status === 200 ? '' : `HTTP ${result.status}`;
      return { text: joined('refused:', status, number(result.code), result.reason), tone: 'refused' };
    }
    case 'failed':
      return { text: `failed: ${failedWords[result.what]}`, tone: 'broken' };
    case 'absent':
      return { text: 'the server has no such step', tone: 'plain' };
  }
}

/** One line on an exchange: number, parties, call and answer. */
export function exchangeLine(exchange: ExchangeEntry): string {
  const [from, to] = endsOf(exchange.link);
  const fault = exchange.fault ? ` [fault on purpose: ${exchange.fault}]` : '';
  return `#${exchange.seq} ${shortNames[from]} → ${shortNames[to]}: ${callOf(exchange)} → ${answerOf(exchange).text}${fault}`;
}

/** One line on a step: number, user, step, and its end where that is known. */
export function stepLine(step: StepEntry, outcome: OutcomeEntry | undefined): string {
  const wrong = step.defect === undefined ? '' : ` (wrong on purpose: ${step.defect})`;
  const end = outcome ? ` → ${resultOf(outcome.result).text}` : '';
  return `#${step.seq} ${step.user}: ${step.label} [${step.step}]${wrong}${end}`;
}

/** One sentence on an event beside messages and steps. */
export function remarkOf(
  entry: NoteEntry | ServerEntry | SilenceEntry | CodeEntry | ObservationEntry,
): string {
  switch (entry.kind) {
    case 'note':
      return entry.text;
    case 'server':
      return `The server under test ${entry.ended ?? serverWords[entry.event]}`;
    case 'silence':
      return `The kit itself stood still for ${duration(entry.took)}`;
    case 'code': {
      const { length, digits, derived } = entry.facts;
      const shape = `${length} ${digits ? 'digits' : 'characters'}`;
      return `A code for ${entry.user} reached the kit: ${shape}${derived === undefined ? '' : `, which follow from ${derived}`}`;
    }
    case 'observation': {
      const values = Object.entries(entry.values).map(([name, value]) => `${name} ${value}`);
      return `${entry.label}: ${values.join(', ')}`;
    }
  }
}

const serverWords: Readonly<Record<ServerEntry['event'], string>> = {
  started: 'was started',
  died: 'ended without being asked to',
  unreachable: 'could not be reached any more',
};

/** Why a scenario was not played. */
export function notPlayed(absent: readonly string[]): string {
  return `not played: the server has no ${absent.join(', no ')}`;
}

/** `3 checks`, `1 check`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** `140 ms`, `12.3 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Removes characters that would act on a terminal or that a document cannot carry. */
export function harmless(text: string): string {
  return text
    .toWellFormed()
    .replace(INVISIBLE, (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`);
}

/** Control characters except tab and line feed, and marks that change the direction of writing. */
const INVISIBLE = /[^\P{Cc}\t\n]|[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/gu;

const brokenWords: Readonly<Record<NonNullable<ExchangeEntry['broke']>, string>> = {
  refused: 'connection refused',
  reset: 'connection reset',
  'closed-early': 'connection closed early',
  timeout: 'no answer in time',
};

const failedWords: Readonly<Record<(StepResult & { kind: 'failed' })['what'], string>> = {
  unreachable: 'not reachable',
  timeout: 'no answer in time',
  'server-error': 'server error',
  'unexpected-answer': 'unexpected answer',
};

/** The number with a true minus sign: a hyphen is lost beside other signs. */
function number(code: number | string | undefined): string | undefined {
  return code === undefined ? undefined : String(code).replace(/^-/, '−');
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

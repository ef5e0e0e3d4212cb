/** The words for parties, messages and results that all forms of the report share. */
import type { Finding, Outcome } from '../check/verdict.ts';
import type { ConclusionPart, Weight } from '../check/weight.ts';
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

/** The sender or the receiver of a message. Each has a lane in diagrams. */
export type LaneName = 'client' | 'auth' | 'ehr' | 'sms';

/** How a message or a step ended: `good` as it should, `refused`, `broken`, or `plain` for neither. */
export type Tone = 'good' | 'refused' | 'broken' | 'plain';

export type Said = { text: string; tone: Tone };

export const laneNames: Readonly<Record<LaneName, string>> = {
  client: 'Client app',
  auth: 'Authorization server',
  ehr: 'EHR server',
  sms: 'SMS gateway',
};

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

export const outcomeSigns: Readonly<Record<Outcome, string>> = {
  fail: '✕',
  inconclusive: '?',
  warning: '!',
  pass: '✓',
  'not applicable': '–',
};

export const partNames: Readonly<Record<ConclusionPart, string>> = {
  interface: 'Interface',
  safety: 'Safety',
};

export function weightWords({ part, level }: Weight): string {
  if (part === 'safety') return `safety ${level === 'MUST' ? 'essential' : 'recommended'}`;
  return `interface ${level}`;
}

/** `seq` of the journal entries that show a finding; none for a finding without evidence. */
export const evidenceOf = (finding: Finding): readonly number[] =>
  ('evidence' in finding && finding.evidence) || [];

/** The facts that reports tell of a finding. `undecided` is why it could not be judged. */
export type FactName = 'expected' | 'actual' | 'undecided' | 'blame' | 'advice';

export const factNames: Readonly<Record<FactName, string>> = {
  expected: 'expected',
  actual: 'actual',
  undecided: 'could not be judged',
  blame: 'to blame',
  advice: 'to do',
};

/** The facts of a red finding, in the order of all reports. `advice` of the cause replaces its own. */
export function factsOf(finding: Finding, advice?: string): (readonly [FactName, string])[] {
  if (finding.outcome === 'pass' || finding.outcome === 'not applicable') return [];
  const blame = ['blame', finding.blame] as const;
  if (finding.outcome === 'inconclusive') return [['undecided', finding.because], blame];
  const { expected, actual } = finding;
  return [['expected', expected], ['actual', actual], blame, ['advice', advice ?? finding.advice]];
}

export function endsOf(link: Link): readonly [LaneName, LaneName] {
  return link.split('->') as [LaneName, LaneName];
}

export function callOf({ facts, request }: ExchangeEntry): string {
  return facts.call?.method ?? `${request.method} ${request.path}`;
}

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

export function exchangeLine(exchange: ExchangeEntry): string {
  const [from, to] = endsOf(exchange.link);
  const fault = exchange.fault ? ` [fault on purpose: ${exchange.fault}]` : '';
  return `#${exchange.seq} ${shortNames[from]} → ${shortNames[to]}: ${callOf(exchange)} → ${answerOf(exchange).text}${fault}`;
}

export function stepLine(step: StepEntry, outcome: OutcomeEntry | undefined): string {
  const wrong = step.defect === undefined ? '' : ` (wrong on purpose: ${step.defect})`;
  const end = outcome ? ` → ${resultOf(outcome.result).text}` : '';
  return `#${step.seq} ${step.user}: ${step.label} [${step.step}]${wrong}${end}`;
}

/** One sentence about an entry. A silence is a time in which the kit itself stood still. */
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

export function notPlayed(absent: readonly string[]): string {
  return `not played: the server has no ${absent.join(', no ')}`;
}

export function talliesOf(counts: Readonly<Record<Outcome, number>>): string {
  const { pass, fail, inconclusive, warning } = counts;
  return `${pass} passed, ${fail} failed, ${inconclusive} inconclusive, ${warning} warnings, ${counts['not applicable']} not applicable`;
}

/** A number with its noun: `3 checks`, `1 check`. */
export function count(number: number, one: string, many = `${one}s`): string {
  return `${number} ${number === 1 ? one : many}`;
}

/** A time in a readable unit: `140 ms`, `12.3 s`, `2 min 5 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1_000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1_000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

const brokenWords: Readonly<Record<NonNullable<ExchangeEntry['broke']>, string>> = {
  refused: 'connection refused',
  reset: 'connection reset',
  'closed-early': 'connection closed early',
  timeout: 'no answer in time',
};

const failedWords: Readonly<Record<(StepResult & { kind: 'failed' })['what'], string>> = {
  unreachable: 'not reachable',
  ended: 'ended',
  timeout: 'no answer in time',
  'server-error': 'server error',
  'unexpected-answer': 'unexpected answer',
};

function number(code: number | string | undefined): string | undefined {
  return code === undefined ? undefined : String(code).replace(/^-/, '−');
}

function joined(...parts: (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

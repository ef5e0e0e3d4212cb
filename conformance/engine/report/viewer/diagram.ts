/** Draws a sequence diagram: a step is a band, a message an arrow between two lanes, which opens it. */
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { DiagramRow } from '../diagram.ts';
import type { ReportedVerdict } from '../schema/schema.ts';
import {
  answerOf,
  callOf,
  count,
  endsOf,
  type LaneName,
  laneNames,
  outcomeSigns,
  resultOf,
} from '../words.ts';
import { classOf, el, open } from './elements.ts';
import { messageOf } from './message.ts';

/** The worst verdict that a message shows, and how many `more` verdicts it shows. */
export type Mark = { verdict: ReportedVerdict; more: number };

export type DiagramOptions = {
  rows: readonly DiagramRow[];
  /** `seq` of the entries that a verdict names: they are highlighted. */
  evidence?: ReadonlySet<number>;
  /** The verdict in the margin of a message, by its `seq`. */
  marks?: ReadonlyMap<number, Mark>;
  /** What the address of a message has before its number. */
  prefix?: string;
  /** Whether the rows were chosen from a whole scenario. Otherwise nobody knows how much a gap leaves out. */
  isWhole?: boolean;
};

type Arrow = DiagramRow & { kind: 'call' | 'reply' };

export function diagramOf(options: DiagramOptions): HTMLElement {
  const lanes = lanesOf(options.rows);
  const heads = lanes.map((lane) => el(`span.lane.${lane}`, laneNames[lane]));
  const about = `Lanes: ${lanes.map((lane) => laneNames[lane]).join(', ')}`;
  const drawn = el(
    `div.sequence.lanes-${lanes.length}`,
    el('div.heads', { role: 'img', 'aria-label': about }, heads),
  );
  let group: HTMLElement | undefined;
  for (const row of options.rows) {
    if (row.kind === 'note' || row.kind === 'gap') {
      drawn.append(row.kind === 'note' ? el('p.remark', row.text) : gap(gapText(row, options)));
      group = undefined;
      continue;
    }
    if (row.kind === 'step' || !group) {
      group = el('div.group', row.kind === 'step' && band(row, options), el('div.arrows'));
      drawn.append(group);
    }
    if (row.kind !== 'step') group.querySelector('.arrows')?.append(crossing(row, group, options));
  }
  return drawn;
}

/** Says that something is not shown. */
export const gap = (text: string): HTMLElement => el('p.gap', text);

/** Shows a message below the step that it belongs to. */
export function showMessage(group: HTMLElement, exchange: ExchangeEntry): HTMLDetailsElement {
  const known = group.querySelector<HTMLDetailsElement>(`.message[data-seq="${exchange.seq}"]`);
  const message = known ?? messageOf(exchange);
  if (!known) group.append(message);
  open(message);
  return message;
}

/** Only diagrams with messages to the SMS gateway have its lane. */
function lanesOf(rows: readonly DiagramRow[]): LaneName[] {
  const usesSms = rows.some((row) => row.kind === 'call' && row.exchange.link === 'auth->sms');
  return usesSms ? ['client', 'auth', 'ehr', 'sms'] : ['client', 'auth', 'ehr'];
}

function band({ step, outcome }: DiagramRow & { kind: 'step' }, { evidence }: DiagramOptions): HTMLElement {
  const isMarked = evidence?.has(step.seq) || (outcome !== undefined && evidence?.has(outcome.seq));
  const result = outcome ? resultOf(outcome.result) : { text: 'did not end', tone: 'broken' };
  const remarks = [
    step.defect !== undefined && `wrong on purpose: ${step.defect}`,
    outcome?.result.kind === 'failed' && outcome.result.detail,
  ];
  return el(
    isMarked ? 'div.band.marked' : 'div.band',
    // Many labels begin with the name of the user already.
    !step.label.startsWith(step.user) && el('span.user', step.user),
    el('span', step.label),
    el(`span.result.${result.tone}`, result.text),
    remarks.map((remark) => remark && el('span.defect', remark)),
  );
}

/** An arrow with the verdict that stands beside it. Screen readers skip a reply: its call says both. */
function crossing({ kind, exchange }: Arrow, group: HTMLElement, options: DiagramOptions): HTMLElement {
  const { seq, link, fault } = exchange;
  const { evidence, prefix = '', marks } = options;
  const isReply = kind === 'reply';
  const { text, tone } = answerOf(exchange);
  const isLost = isReply && (!exchange.response || exchange.broke !== undefined);
  const marked = evidence?.has(seq) && 'marked';
  const classes = [kind, link.replace('->', '-'), isReply && tone, isLost && 'lost', marked];
  const made = el(
    `a.arrow.${classes.filter(Boolean).join('.')}`,
    { href: `#m${prefix}${seq}` },
    isReply ? { tabindex: -1, 'aria-hidden': 'true' } : { 'aria-label': spoken(exchange) },
    el('span.label', el('span.number', seq), ` ${isReply ? text : shortCall(exchange)}`),
    isReply && fault && el('span.fault', `fault on purpose: ${fault}`),
  );
  made.addEventListener('click', (event) => {
    event.preventDefault();
    const message = showMessage(group, exchange);
    message.querySelector('summary')?.focus({ preventScroll: true });
    message.scrollIntoView({ block: 'nearest' });
  });
  const mark = isReply ? marks?.get(seq) : undefined;
  return el('div.crossing', made, mark && inMargin(mark));
}

function inMargin({ verdict: { check, title, outcome, clause }, more }: Mark): HTMLElement {
  const others = more > 0 && ` +${more}`;
  const spokenOthers = more > 0 ? `, and ${count(more, 'more verdict')}` : '';
  return el(
    `a.margin.${classOf(outcome)}`,
    { href: `#check-${check}`, 'aria-label': `${outcome}: ${title}${spokenOthers}` },
    outcomeSigns[outcome],
    el('span.clause', ` ${shortClause(clause)}`, others),
  );
}

/** The first paragraph of a clause: the margin has no room for `good practice, §2.3, §2.4`. */
function shortClause(clause: string): string {
  return /§[\d.]*\d/.exec(clause)?.[0] ?? clause.split(',')[0] ?? clause;
}

/** The method of a call without its service: `get_patient` of `patient.get_patient`. */
function shortCall(exchange: ExchangeEntry): string {
  const call = callOf(exchange);
  return exchange.facts.call ? (call.split('.').at(-1) as string) : call;
}

function spoken(exchange: ExchangeEntry): string {
  const [from, to] = endsOf(exchange.link);
  const fault = exchange.fault ? `, fault on purpose: ${exchange.fault}` : '';
  return `Message ${exchange.seq}: ${laneNames[from]} calls ${laneNames[to]}, ${callOf(exchange)}; answer: ${answerOf(exchange).text}${fault}`;
}

function gapText(
  { exchanges, steps }: DiagramRow & { kind: 'gap' },
  { isWhole = true }: DiagramOptions,
): string {
  if (!isWhole) return 'More is not shown here';
  const parts = [exchanges > 0 && count(exchanges, 'message'), steps > 0 && count(steps, 'step')];
  return `${parts.filter((part) => part !== false).join(' and ')} not shown here`;
}

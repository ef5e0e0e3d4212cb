/** Draws a sequence diagram for the HTML report: a step is a band, a message an arrow between two lanes. */
import type { Outcome } from '../../check/verdict.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { DiagramRow } from '../diagram/rows.ts';
import { cut } from '../terminal/terminal.ts';
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
import { html, type Markup } from './markup.ts';

/** The worst verdict that a message shows, and how many `more` verdicts it shows. */
export type Mark = { check: string; title: string; outcome: Outcome; clause: string; more: number };

/** What a diagram shows besides its rows. All numbers are `seq` of journal entries. */
export type DiagramOptions = {
  rows: readonly DiagramRow[];
  /** The entries that a verdict names: they are highlighted. */
  evidence: ReadonlySet<number>;
  hasMessage: (seq: number) => boolean;
  marks?: ReadonlyMap<number, Mark>;
};

type Arrow = DiagramRow & { kind: 'call' | 'reply' };
type Group = {
  step?: DiagramRow & { kind: 'step' };
  arrows: Arrow[];
  other?: DiagramRow & { kind: 'note' | 'gap' };
};

const ROW_PX = 27;
const FAULT_ROW_PX = 15;
/** The left half of a narrow screen has room for this many characters of a label. */
const MAX_LABEL_CHARS = 30;
/** The right half of a narrow screen has room for this many characters. */
const MAX_RIGHT_LABEL_CHARS = 24;

/** The position of each lane, in per cent of the width. Only diagrams with SMS have the last one. */
const LANES: Readonly<Record<'with SMS' | 'without', Partial<Record<LaneName, number>>>> = {
  'with SMS': { client: 11, auth: 38, ehr: 65, sms: 91 },
  without: { client: 13, auth: 50, ehr: 87 },
};

export function diagramOf(options: DiagramOptions): Markup {
  const { rows } = options;
  const usesSms = rows.some((row) => row.kind === 'call' && row.exchange.link === 'auth->sms');
  const lanes = LANES[usesSms ? 'with SMS' : 'without'];
  const draw = new Drawing(lanes, options);
  return html`<div class="sequence">${draw.heads()}${groupsOf(rows).map((group) => draw.group(group))}</div>`;
}

/** The arrowheads that all diagrams of the page use. The page contains them once. */
export function arrowheads(): Markup {
  const head = (tone: string) =>
    html`<marker id="head-${tone}" class="head ${tone}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 1 9 5 0 9z"/></marker>`;
  return html`<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs>${['call', 'good', 'refused', 'broken'].map(head)}</defs></svg>`;
}

function groupsOf(rows: readonly DiagramRow[]): Group[] {
  const groups: Group[] = [];
  for (const row of rows) {
    const last = groups.at(-1);
    if (row.kind === 'step') groups.push({ step: row, arrows: [] });
    else if (row.kind === 'note' || row.kind === 'gap') groups.push({ arrows: [], other: row });
    else if (last && !last.other) last.arrows.push(row);
    else groups.push({ arrows: [row] });
  }
  return groups;
}

class Drawing {
  readonly #lanes: Partial<Record<LaneName, number>>;
  readonly #options: DiagramOptions;

  constructor(lanes: Partial<Record<LaneName, number>>, options: DiagramOptions) {
    this.#lanes = lanes;
    this.#options = options;
  }

  heads(): Markup {
    const heads = Object.entries(this.#lanes).map(([lane, x]) => {
      const [first = '', second = ''] = laneNames[lane as LaneName].split(' ');
      return html`<text class="lane ${lane}" x="${x}%" y="13">${first}<tspan x="${x}%" dy="15">${second}</tspan></text>`;
    });
    return html`<svg class="heads" width="100%" height="36" role="img" aria-label="Lanes: ${Object.keys(
      this.#lanes,
    )
      .map((lane) => laneNames[lane as LaneName])
      .join(', ')}">${heads}</svg>`;
  }

  group({ step, arrows, other }: Group): Markup {
    if (other?.kind === 'note') return html`<p class="remark">${other.text}</p>`;
    if (other?.kind === 'gap') return html`<p class="gap">${gapText(other)}</p>`;
    return html`<div class="group">${step && this.#band(step)}${arrows.length > 0 && this.#arrows(arrows, step?.step.label)}</div>`;
  }

  #band({ step, outcome }: DiagramRow & { kind: 'step' }): Markup {
    const marked =
      this.#options.evidence.has(step.seq) ||
      (outcome !== undefined && this.#options.evidence.has(outcome.seq));
    const result = outcome ? resultOf(outcome.result) : { text: 'did not end', tone: 'broken' };
    const detail = outcome?.result.kind === 'failed' ? outcome.result.detail : '';
    return html`<div class="band${marked ? ' marked' : ''}">${
      // Many labels begin with the name of the user already.
      !step.label.startsWith(step.user) && html`<span class="user">${step.user}</span> `
    }<span class="what">${step.label}</span> <span class="result ${result.tone}">${result.text}</span>${
      step.defect !== undefined && html`<span class="defect">wrong on purpose: ${step.defect}</span>`
    }${detail !== '' && html`<span class="defect">${detail}</span>`}</div>`;
  }

  #arrows(rows: readonly Arrow[], label: string | undefined): Markup {
    let y = 2;
    const drawn = rows.map((row) => {
      const height = ROW_PX + (row.kind === 'reply' && row.exchange.fault ? FAULT_ROW_PX : 0);
      const arrow = this.#arrow(row, y, height);
      y += height;
      return arrow;
    });
    const lines = Object.values(this.#lanes).map(
      (x) => html`<line class="life" x1="${x}%" x2="${x}%" y1="0" y2="${y + 2}"/>`,
    );
    const about = label === undefined ? 'Messages' : `Messages of the step ${label}`;
    return html`<svg class="arrows" width="100%" height="${y + 2}" role="group" aria-label="${about}">${lines}${drawn}</svg>`;
  }

  /** One arrow, as a link to its message. Screen readers skip a reply: the link of its call says both. */
  #arrow({ kind, exchange }: Arrow, y: number, height: number): Markup {
    const { seq } = exchange;
    const { evidence, hasMessage } = this.#options;
    const flag = evidence.has(seq) && html`<rect class="flag" y="${y}" width="4" height="${height}"/>`;
    const parts = html`<rect class="hit" y="${y}" width="100%" height="${height}"/>${flag}${kind === 'call' ? this.#call(exchange, y) : this.#reply(exchange, y)}`;
    const marked = evidence.has(seq) ? ' marked' : '';
    if (!hasMessage(seq)) return html`<g class="message-arrow${marked}">${parts}</g>`;
    if (kind === 'reply')
      return html`<a class="message-arrow${marked}" href="#m${seq}" tabindex="-1" aria-hidden="true">${parts}</a>${this.#mark(seq, y)}`;
    return html`<a class="message-arrow${marked}" href="#m${seq}" aria-label="${spoken(exchange)}">${parts}</a>`;
  }

  #mark(seq: number, y: number): Markup | false {
    const mark = this.#options.marks?.get(seq);
    if (!mark) return false;
    const { check, title, outcome, clause, more } = mark;
    const others = more > 0 && ` +${more}`;
    const spokenOthers = more > 0 && `, and ${count(more, 'more verdict')}`;
    return html`<a class="margin ${outcome}" href="#check-${check}" aria-label="${outcome}: ${title}${spokenOthers}"><text x="100%" dx="-8" y="${y + 18}">${outcomeSigns[outcome]}<tspan class="clause"> ${clause}${others}</tspan></text></a>`;
  }

  #call(exchange: ExchangeEntry, y: number): Markup {
    const { from, to, left } = this.#span(exchange);
    return html`<line class="call" x1="${from}%" x2="${to}%" y1="${y + 21}" y2="${y + 21}" marker-end="url(#head-call)"/><text class="label" x="${left}%" dx="9" y="${y + 13}"><tspan class="number">${exchange.seq}</tspan> ${cut(shortCall(exchange), maxLabelChars(left))}</text>`;
  }

  /** The arrow of a reply. One that was lost ends in a cross between the lanes. */
  #reply(exchange: ExchangeEntry, y: number): Markup {
    const { from, to, left, middle } = this.#span(exchange);
    const { text, tone } = answerOf(exchange);
    const lost = !exchange.response || exchange.broke !== undefined;
    const line = lost
      ? html`<line class="reply ${tone}" x1="${to}%" x2="${middle}%" y1="${y + 21}" y2="${y + 21}"/><svg x="${middle}%" y="${y + 21}" overflow="visible"><path class="cross" d="M-4-4 4 4M4-4-4 4"/></svg>`
      : html`<line class="reply ${tone}" x1="${to}%" x2="${from}%" y1="${y + 21}" y2="${y + 21}" marker-end="url(#head-${tone})"/>`;
    const fault =
      exchange.fault &&
      html`<text class="fault" x="${left}%" dx="9" y="${y + 35}">fault on purpose: ${exchange.fault}</text>`;
    return html`${line}<text class="label ${tone}" x="${left}%" dx="9" y="${y + 13}"><tspan class="number">${exchange.seq}</tspan> ${cut(text, maxLabelChars(left))}</text>${fault}`;
  }

  /** Where a message begins, ends, is leftmost and has its middle, in per cent of the width. */
  #span({ link }: ExchangeEntry): { from: number; to: number; left: number; middle: number } {
    const [from, to] = endsOf(link).map((lane) => this.#lanes[lane] ?? 0) as [number, number];
    return { from, to, left: Math.min(from, to), middle: (from + to) / 2 };
  }
}

function maxLabelChars(left: number): number {
  return left >= 50 ? MAX_RIGHT_LABEL_CHARS : MAX_LABEL_CHARS;
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

function gapText({ exchanges, steps }: DiagramRow & { kind: 'gap' }): string {
  const parts = [exchanges > 0 && count(exchanges, 'message'), steps > 0 && count(steps, 'step')].filter(
    (part) => part !== false,
  );
  return `${parts.join(' and ')} not shown here`;
}

/**
 * The two pages of `e2e/`: the flows of a run, each with its messages, what failed first and why; and which
 * parties of different makes work with each other.
 */
import type { Entry } from '../../journal/entry.ts';
import { rowsOf } from '../diagram.ts';
import type { Report } from '../schema/schema.ts';
import { count, duration } from '../words.ts';
import { diagramOf, showMessage } from './diagram.ts';
import { type Content, el, fold, listOf, open, outcomeWords, tag } from './elements.ts';
import { textsIn } from './find.ts';
import { cardOf, frameOf, headOf, sectionOf } from './frame.ts';
import { navigate } from './navigate.ts';

/** What the viewer can show. */
export type Shown = { report: Report } | { flows: ShownFlows } | { matrix: ShownMatrix };

type ShownFlows = {
  verdict: string;
  sentence: string;
  /** Why flows failed. `flows` are places in the list of flows. */
  causes: readonly { lines: readonly string[]; flows: readonly number[] }[];
  /** In the order of the page. */
  flows: readonly ShownFlow[];
  leftOut: readonly string[];
};

export type ShownFlow = {
  file: string;
  title: string;
  /** A short title. */
  name: string;
  passed: boolean;
  /** Milliseconds. */
  took: number;
  entries: readonly Entry[];
  failure?: {
    lines: readonly string[];
    /** The number of the message in which the flow first differs, and a sentence about it. */
    differing?: { seq: number; sentence: string } | undefined;
  };
};

/** Which parties work with each other. A cell begins with a sign: it passed, or it did not. */
type ShownMatrix = {
  verdict: string;
  isGreen: boolean;
  sentence: string;
  head: readonly string[];
  rows: readonly (readonly string[])[];
  lists: readonly { title: string; lines: readonly string[] }[];
};

/** How many failed flows are open at first. */
const MAX_OPEN = 3;

export function flowsPage({ verdict, sentence, causes, flows, leftOut }: ShownFlows): void {
  const files = [...new Set(flows.map(({ file }) => file))];
  const cards = flows.map(cardOfFlow);
  const failedCards = cards.filter((_, index) => !flows[index]?.passed);
  for (const card of failedCards.slice(0, MAX_OPEN)) open(card);
  const groups = files.map((file, place) => {
    const own = cards.filter((_, index) => flows[index]?.file === file);
    return el('div.items', el('h3.file', { id: `file-${place}` }, file), own);
  });
  const notPlayed = leftOut.length > 0 && [el('h3.file', 'Left out'), listOf('ul', leftOut)];
  const about = { eyebrow: 'End-to-end flows', title: 'Embedded EHR Storage Interface' };
  const tone = failedCards.length === 0 ? 'pass' : 'fail';
  const why = listOf(
    'ol.why',
    causes.map((cause) => causeOf(cause, flows)),
  );
  const page = frameOf({
    head: headOf({ ...about, tone, word: verdict }, el('p.sentence', sentence)),
    counts: [
      ['fail', failedCards.length],
      ['pass', flows.length - failedCards.length],
    ],
    links: { name: 'Files', to: files.map((file, place) => [`file-${place}`, file]) },
    sections: [
      causes.length > 0 && sectionOf('causes', 'What failed', why),
      sectionOf('checks', 'Flows', [groups, notPlayed], { hasCards: true }),
    ],
  });
  document.body.replaceChildren(...page);
  // The message `m3-17` stands in the card `flow-3`, which has it once it is open.
  navigate((id) => id.replace(/^m(\d+)-.*/, 'flow-$1'));
}

function causeOf({ lines, flows: own }: ShownFlows['causes'][number], flows: readonly ShownFlow[]): Content {
  const [first, ...further] = lines;
  const links = own.map((index) => el('a', { href: `#flow-${index}` }, flows[index]?.name));
  return [
    el('p.seen', first),
    further.map((line) => el('p', line)),
    fold('of', [`In ${count(own.length, 'flow')}`], () => listOf('ul', links)),
  ];
}

function cardOfFlow(flow: ShownFlow, index: number): HTMLDetailsElement {
  const { title, passed, took, entries } = flow;
  const outcome = passed ? 'pass' : 'fail';
  const messages = entries.filter(({ kind }) => kind === 'exchange').length;
  return cardOf({
    kind: 'flow',
    name: index,
    outcome,
    title,
    tags: [tag(outcomeWords[outcome], outcome), `${duration(took)}, ${count(messages, 'message')}`],
    inside: () => insideOf(flow, `${index}-`),
    text: () => textsIn(flow),
  });
}

function insideOf({ entries, failure }: ShownFlow, prefix: string): Content {
  const differing = failure?.differing;
  const address = `#m${prefix}${differing?.seq}`;
  const told = failure?.lines.map((line) => el('p', line));
  const link =
    differing && el('p', 'The first differing message: ', el('a', { href: address }, differing.sentence));
  const reason = failure && el('div.stopped', told, link);
  if (entries.length === 0)
    return [reason, el('p.more', 'Nothing is shown: this test speaks over TLS, or to no server.')];
  const diagram = diagramOf({ rows: rowsOf(entries), prefix });
  const exchange = entries.find((entry) => entry.seq === differing?.seq);
  const group = diagram.querySelector(`a[href="${address}"]`)?.closest<HTMLElement>('.group');
  if (group && exchange?.kind === 'exchange') showMessage(group, exchange);
  return [reason, diagram];
}

export function matrixPage({ verdict, isGreen, sentence, head, rows, lists }: ShownMatrix): void {
  const about = { eyebrow: 'Interoperability', title: 'Who works with whom', word: verdict };
  const top = headOf({ ...about, tone: isGreen ? 'pass' : 'fail' }, el('p.sentence', sentence));
  const heads = head.map((name) => el('th', { scope: 'col' }, name));
  const table = el('table', el('thead', el('tr', heads)), el('tbody', rows.map(row)));
  const named = lists.map(({ title, lines }) => el('section', el('h2', title), listOf('ul', lines)));
  document.body.replaceChildren(el('div.page', top, el('main', el('div.matrix', table), named)));
}

/** A client and an authorization server, and how they work with each EHR server. */
function row([client = '', auth = '', ...cells]: readonly string[]): HTMLElement {
  const parties = [client, auth].map((name) => el('th', { scope: 'row' }, name));
  const toneOf = (text: string) => (/^✗/.test(text) ? 'fail' : /^✓/.test(text) ? 'pass' : 'none');
  const shown = cells.map((text) => el(`td.${toneOf(text)}`, text));
  return el('tr', parties, shown);
}

/** Shows the flows of an end-to-end run, each with its messages: what failed first, and why. */
import { rowsOf } from '../diagram/rows.ts';
import { count, duration } from '../words.ts';
import { diagramOf, showMessage } from './diagram.ts';
import { type Content, el, fold, listOf, open } from './elements.ts';
import { textsIn } from './find.ts';
import { cardOf, frameOf, headOf, sectionOf } from './frame.ts';
import { navigate } from './navigate.ts';
import type { ShownFlow, ShownFlows } from './shown.ts';
import { outcomeWords, tag } from './signs.ts';

/** How many failed flows are open at first. */
const MAX_OPEN = 3;

export function flowsPage({ verdict, sentence, causes, flows, leftOut }: ShownFlows): void {
  const files = [...new Set(flows.map(({ file }) => file))];
  const failed = flows.filter(({ passed }) => !passed).length;
  const cards = flows.map(cardOfFlow);
  for (const [index, card] of cards.entries()) if (!flows[index]?.passed && index < MAX_OPEN) open(card);
  const groups = files.map((file, place) => {
    const own = cards.filter((_, index) => flows[index]?.file === file);
    return el('div.items', el('h3.file', { id: `file-${place}` }, file), own);
  });
  const notPlayed = leftOut.length > 0 && [el('h3.file', 'Left out'), listOf('ul', leftOut)];
  const about = { eyebrow: 'End-to-end flows', title: 'Embedded EHR Storage Interface' };
  const tone = failed === 0 ? 'pass' : 'fail';
  const why = listOf(
    'ol.why',
    causes.map((cause) => causeOf(cause, flows)),
  );
  const page = frameOf({
    head: headOf({ ...about, tone, word: verdict }, el('p.sentence', sentence)),
    counts: [
      ['fail', failed],
      ['pass', flows.length - failed],
    ],
    links: { name: 'Files', to: files.map((file, place) => [`file-${place}`, file]) },
    sections: [
      causes.length > 0 && sectionOf('causes', 'What failed', why),
      sectionOf('checks', 'Flows', [groups, notPlayed], true),
    ],
  });
  document.body.replaceChildren(...page);
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
    ...{ kind: 'flow', name: index, outcome, title },
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

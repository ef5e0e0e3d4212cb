/** The page of all flows, each with its messages as a sequence diagram. One file, which opens offline. */
import type { ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { rowsOf } from '#conformance/engine/report/diagram/rows.ts';
import { arrowheads, diagramOf } from '#conformance/engine/report/html/diagram.ts';
import { filterOf } from '#conformance/engine/report/html/filter.ts';
import { html, type Markup, trusted } from '#conformance/engine/report/html/markup.ts';
import { messageOf } from '#conformance/engine/report/html/message.ts';
import { pageOf } from '#conformance/engine/report/html/page.ts';
import { styles as kitStyles } from '#conformance/engine/report/html/styles/all.ts';
import { count, duration } from '#conformance/engine/report/words.ts';
import type { RecordedFlow } from '#testing/recording/recorded-flow.ts';
import { causesOf, type Failure, linesOf } from './causes.ts';
import { sentenceOf } from './difference.ts';
import type { FlowResult } from './flow-result.ts';
import { nameOf, shortName } from './terminal.ts';

/** A flow with its recorded messages. `entries` is empty where no party sent any. */
export type Flow = Omit<FlowResult, 'sentence' | 'place'> &
  Pick<RecordedFlow, 'entries'> & { readonly failure?: Failure | undefined };

/** A flow that the parties could not play, and why. */
export type LeftOut = { readonly title: string; readonly because: string };

/** A longer body is cut. */
const MAX_BODY_CHARS = 1_500;

const styles = `${kitStyles}
.flows h3.file { margin: 1.4rem 0 0.6rem; font: 600 1.05rem / 1.3 var(--text); overflow-wrap: anywhere; }
.causes ol { padding-left: 1.4rem; }
.causes .cause { margin: 0 0 1.2rem; }
.causes p { margin: 0.15rem 0; overflow-wrap: anywhere; }
.causes .seen { color: var(--fail); font-weight: 600; }
.flows .stopped p { margin: 0.2rem 0; overflow-wrap: anywhere; }
.files { font-size: 0.9rem; }
.files a { overflow-wrap: anywhere; }
@media (min-width: 62rem) { .side-bar { overflow-y: auto; } }
body:has(#show-fail:checked) .file-group:not(:has(.outcome.fail)), body:has(#show-pass:checked) .file-group:not(:has(.outcome.pass)) { display: none; }
`;

/** Creates the page: what failed first, else in the given order. */
export function flowsPage(given: readonly Flow[], leftOut: readonly LeftOut[] = []): string {
  const flows = failedFirst(given);
  const files = [...new Set(flows.map(({ file }) => file))];
  const failed = flows.filter(({ passed }) => !passed).length;
  const sentence = `${count(flows.length - failed, 'flow')} passed, ${failed} failed${leftOut.length > 0 ? `, ${leftOut.length} left out` : ''}.`;
  const head = html`<header class="top"><p class="eyebrow">End-to-end flows</p><h1>Embedded EHR Storage Interface</h1><p class="verdict ${failed === 0 ? 'pass' : 'fail'}"><span class="word">${failed === 0 ? 'All flows passed' : `${count(failed, 'flow')} failed`}</span></p><p class="sentence">${sentence} Each one shows what crossed between the parties, in its order. Secrets and patient data are masked: the same name stands for the same value throughout a flow. Preflight requests of browsers are left out.</p></header>`;
  const sections = files.map((file, index) => {
    const own = flows.filter((flow) => flow.file === file);
    return html`<div class="file-group"><h3 class="file" id="file-${index}">${file}</h3>${own.map((flow) => cardOf(flow, flows.indexOf(flow)))}</div>`;
  });
  const navigation = html`<nav aria-label="Files"><ul class="files">${files.map(
    (file, index) => html`<li><a href="#file-${index}">${shortName(file)}</a></li>`,
  )}</ul></nav>`;
  const body = html`${arrowheads()}<a class="skip" href="#checks">To the flows</a><div class="page">${head}<div class="columns"><div class="side-bar">${filterOf(choicesOf(flows.length, failed))}${navigation}</div><main>${causeList(flows)}<section id="checks" class="flows" aria-labelledby="flows-title"><div class="section-head"><h2 id="flows-title">Flows</h2><span class="fold" hidden><button type="button" data-open="checks">Open all</button><button type="button" data-close="checks">Close all</button></span></div>${sections}${leftOutList(leftOut)}</section></main></div></div>`;
  return pageOf({ title: `Flows: ${sentence}`, styles, body });
}

/** Files with a failed flow come first; in each file the failed flows. */
function failedFirst(flows: readonly Flow[]): Flow[] {
  const red = new Set(flows.flatMap(({ file, passed }) => (passed ? [] : [file])));
  const rank = ({ file, passed }: Flow) => (red.has(file) ? 0 : 2) + Number(passed);
  const files = [...new Set(flows.map(({ file }) => file))].sort(
    (a, b) => Number(red.has(b)) - Number(red.has(a)),
  );
  return files.flatMap((file) =>
    flows.filter((flow) => flow.file === file).sort((a, b) => rank(a) - rank(b)),
  );
}

function causeList(flows: readonly Flow[]): Markup | false {
  const causes = causesOf(flows);
  if (causes.length === 0) return false;
  const items = causes.map((cause) => {
    const links = cause.flows.map(
      (flow) => html`<li><a href="#flow-${flows.indexOf(flow)}">${nameOf(flow)}</a></li>`,
    );
    const [sentence, ...further] = linesOf(cause);
    return html`<li class="cause"><p class="seen">${sentence}</p>${further.map((line) => html`<p>${line}</p>`)}<details><summary>In ${count(cause.flows.length, 'flow')}</summary><ul>${links}</ul></details></li>`;
  });
  return html`<section class="causes" aria-labelledby="causes-title"><h2 id="causes-title">What failed</h2><ol>${items}</ol></section>`;
}

function leftOutList(leftOut: readonly LeftOut[]): Markup | false {
  if (leftOut.length === 0) return false;
  const items = leftOut.map(({ title, because }) => html`<li>${title}: ${because}</li>`);
  return html`<h3 class="file">Left out</h3><ul>${items}</ul>`;
}

/** How many failed flows are open at first. */
const MAX_OPEN = 3;

function cardOf({ title, passed, seconds, entries, failure }: Flow, index: number): Markup {
  const outcome = passed ? 'pass' : 'fail';
  const rows = rowsOf(entries);
  const shown = rows.flatMap((row) => (row.kind === 'call' ? [row.exchange] : []));
  const exchanges = entries.filter(({ kind }) => kind === 'exchange').length;
  const inside =
    entries.length === 0
      ? html`<p class="stopped">Nothing is shown: this test speaks over TLS, or to no server.</p>`
      : html`${diagramOf({ rows, evidence: new Set(), hasMessage: () => true })}<h4>Messages</h4><div class="messages">${shown.map((exchange) => messageOf(withShortBodies(exchange)))}</div>`;
  return html`<div class="outcome ${outcome}"><details class="card ${outcome}" id="flow-${index}"${!passed && index < MAX_OPEN && html` open`}><summary><h3><span class="sign ${outcome}" aria-hidden="true">${passed ? '✓' : '✕'}</span><span class="title">${title}</span></h3><span class="tags"><span class="tag ${outcome}">${passed ? 'passed' : 'failed'}</span><span>${duration(seconds * 1_000)}</span><span>${count(exchanges, 'message')}</span></span></summary><div class="inside">${ofFlow(index, html`${failure && failureOf(failure, entries)}${inside}`, failure?.difference?.seq)}</div></details></div>`;
}

function failureOf(failure: Failure, entries: Flow['entries']): Markup {
  const { sentence, difference, remark } = failure;
  const isShown = difference?.seq !== undefined && entries.some(({ seq }) => seq === difference.seq);
  const message = difference && sentenceOf(difference);
  const shown = isShown ? html`<a href="#m${difference.seq}">${message}</a>` : message;
  return html`<div class="stopped"><p>${sentence}</p>${message !== undefined && html`<p>The first differing message: ${shown}</p>`}${remark !== undefined && html`<p>${remark}</p>`}</div>`;
}

/** Each journal counts its messages from one, and the page must have each id once. `differing` is open. */
function ofFlow(index: number, markup: Markup, differing: number | undefined): Markup {
  const own = markup.text.replace(/ (id|href)="(#?)m(\d+)"/g, ` $1="$2m${index}-$3"`);
  return trusted(own.replace(`id="m${index}-${differing}"`, (id) => `${id} open`));
}

function withShortBodies(exchange: ExchangeEntry): ExchangeEntry {
  const cut = <M extends { body: string }>(message: M): M =>
    message.body.length <= MAX_BODY_CHARS
      ? message
      : {
          ...message,
          body: `${message.body.slice(0, MAX_BODY_CHARS)} … (${message.body.length} characters)`,
        };
  return {
    ...exchange,
    request: cut(exchange.request),
    ...(exchange.response && { response: cut(exchange.response) }),
  };
}

const choicesOf = (total: number, failed: number) => [
  { name: 'fail', sign: '✕', label: 'failed', number: failed },
  { name: 'pass', sign: '✓', label: 'passed', number: total - failed },
];

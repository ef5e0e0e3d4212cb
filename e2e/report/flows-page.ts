/** The reports of flows: a page, each with its messages as a sequence diagram, and JUnit files beside it. */

import { writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type JunitCase, junitXml } from '#conformance/engine/report/junit-xml.ts';
import { withShortBodies } from '#conformance/engine/report/scenarios.ts';
import type { ShownFlow } from '#conformance/engine/report/viewer/e2e.ts';
import { pageOf } from '#conformance/engine/report/viewer/page.ts';
import { count } from '#conformance/engine/report/words.ts';
import { makeDirectory, writeWhole } from '#service/process/files/writing.ts';
import type { RecordedFlow } from '#testing/recording/recorded-flow.ts';
import { sentenceOf } from './difference.ts';
import type { FlowResult } from './flow-result.ts';
import { causesOf, type Failure, linesOf, nameOf, shortName, textOf } from './terminal.ts';

/** A flow with its recorded messages. `entries` is empty where no party sent any. */
export type Flow = Omit<FlowResult, 'sentence' | 'place'> &
  Pick<RecordedFlow, 'entries'> & { readonly failure?: Failure | undefined };

/** A flow that the parties could not play, and why. */
type LeftOut = { readonly title: string; readonly because: string };

/** A longer body is cut. */
const MAX_BODY_CHARS = 1_500;

/** Creates the page: what failed first, else in the given order. */
export function flowsPage(given: readonly Flow[], leftOut: readonly LeftOut[] = []): string {
  const flows = failedFirst(given);
  const failed = flows.filter(({ passed }) => !passed).length;
  const others = leftOut.length > 0 ? `, ${leftOut.length} left out` : '';
  const counts = `${count(flows.length - failed, 'flow')} passed, ${failed} failed${others}.`;
  const about =
    'Each one shows what crossed between the parties, in its order. Secrets and patient data are masked: the same name stands for the same value throughout a flow. Preflight requests of browsers are left out.';
  return pageOf({
    title: `Flows: ${counts}`,
    sentence: `${counts} With JavaScript this page shows them; the JUnit files beside it say which failed.`,
    shown: {
      flows: {
        verdict: failed === 0 ? 'All flows passed' : `${count(failed, 'flow')} failed`,
        sentence: `${counts} ${about}`,
        causes: causesOf(flows).map((cause) => ({
          lines: linesOf(cause),
          flows: cause.flows.map((flow) => flows.indexOf(flow)),
        })),
        flows: flows.map(shownOf),
        leftOut: leftOut.map(({ title, because }) => `${title}: ${because}`),
      },
    },
  });
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

function shownOf(flow: Flow): ShownFlow {
  const { file, title, passed, seconds, entries, failure } = flow;
  const seq = failure?.difference?.seq;
  const isShown = seq !== undefined && entries.some((entry) => entry.seq === seq);
  return {
    ...{ file: shortName(file), title, name: nameOf(flow), passed, took: seconds * 1_000 },
    entries: entries.map((entry) =>
      entry.kind === 'exchange' ? withShortBodies(entry, MAX_BODY_CHARS) : entry,
    ),
    ...(failure && {
      failure: {
        // A message that the page has is told by a link to it.
        lines: linesOf(isShown ? { ...failure, difference: undefined } : failure),
        differing:
          isShown && failure.difference ? { seq, sentence: sentenceOf(failure.difference) } : undefined,
      },
    }),
  };
}

/** Returns the lines that name the reports, or say why they could not be written. */
export function writeReports(
  page: string,
  html: string,
  suites: Readonly<Record<string, JunitCase[]>>,
): string[] {
  const file = resolve(page);
  try {
    makeDirectory(dirname(file));
    writeFileSync(file, html);
    for (const [name, cases] of Object.entries(suites)) {
      const seconds = cases.reduce((sum, { seconds: own = 0 }) => sum + own, 0);
      writeWhole(join(dirname(file), `${name}.xml`), junitXml({ name, seconds }, [{ name, cases }]));
    }
  } catch (error) {
    return [`Failed to write the reports: ${(error as Error).message}.`];
  }
  const names = Object.keys(suites).map((name) => `${name}.xml`);
  return [
    `All flows with their messages: ${pathToFileURL(file).href}`,
    `Reports: ${dirname(page)} (${names.join(', ')})`,
  ];
}

export function caseOf({ file, title, seconds, failure }: Flow, leftOut?: string): JunitCase {
  const about = { classname: file, name: title, seconds };
  if (leftOut !== undefined) return { ...about, kind: 'skipped', message: leftOut };
  if (!failure) return { ...about, kind: 'passed' };
  return { ...about, kind: 'failure', message: failure.sentence, text: textOf(failure) };
}

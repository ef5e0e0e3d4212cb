/**
 * Writes the report as JUnit XML for build servers, with a suite for each part of the conclusion and one
 * test case for each check. A check that could not be judged is an error there, never a pass.
 */
import { isRed } from '../check/verdict.ts';
import { parts } from '../check/weight.ts';
import { type JunitCase, type JunitSuite, junitXml } from './junit-xml.ts';
import { adviceOf, causeOf, causeWords, requirementsOf } from './lookup.ts';
import type { Report, ReportedVerdict } from './schema/schema.ts';
import { exchangeLines } from './terminal/console-causes.ts';
import { count, evidenceOf, factNames, factsOf, weightWords } from './words.ts';

/** Limits the lines of a text: build servers wrap lines themselves, so this is wider than a terminal. */
const MAX_LINE_CHARS = 200;

export function junitOf(report: Report): string {
  const about = { name: `conformance of ${report.meta.target}`, startedAt: report.meta.startedAt };
  return junitXml({ ...about, seconds: report.summary.took / 1_000 }, suitesOf(report));
}

/**
 * Returns the test cases of a report.
 * - A failure becomes `<failure>`, an inconclusive verdict `<error>`.
 * - What the demands of the run do not count passes, with its text in `<system-out>`.
 * - A check that does not apply and a known failure become `<skipped>`, with the reason.
 * - Each problem of the set-up, a run that was broken off, and each outdated entry of the list of known
 * failures is a test case, too.
 */
function suitesOf(report: Report): JunitSuite[] {
  const suites = parts.map((part): JunitSuite => {
    const own = report.verdicts.filter((verdict) => verdict.part === part);
    return { name: part, cases: own.map((verdict) => caseOf(verdict, report)) };
  });
  const ofRun: JunitSuite = { name: 'run', cases: casesOfRun(report) };
  return [...suites, ofRun].filter(({ cases }) => cases.length > 0);
}

function caseOf(verdict: ReportedVerdict, report: Report): JunitCase {
  const { check, title, clause, outcome, finding, known } = verdict;
  const about = { classname: clause, name: `${check}: ${title}` };
  const text = textOf(verdict, report);
  if (known !== undefined) return { ...about, kind: 'skipped', message: `known failure: ${known}` };
  if (finding.outcome === 'pass') return { ...about, kind: 'passed' };
  if (finding.outcome === 'not applicable') return { ...about, kind: 'skipped', message: finding.because };
  if (!isRed(verdict, report.summary.demands))
    return { ...about, kind: 'passed', text: `${outcome}\n${text}` };
  const cause = causeOf(check, report.causes);
  const because = cause?.check === undefined ? '' : `caused by ${causeWords(cause)}; `;
  if (finding.outcome === 'inconclusive')
    return { ...about, kind: 'error', message: `${because}could not be judged: ${finding.because}`, text };
  const message = `${because}expected ${finding.expected}; actual ${finding.actual}`;
  return { ...about, kind: 'failure', message, text };
}

function textOf(verdict: ReportedVerdict, report: Report): string {
  const { check, clause, finding } = verdict;
  const cause = causeOf(check, report.causes);
  const facts = factsOf(finding, adviceOf(check, report.causes));
  return [
    `${weightWords(verdict)} ${clause}`,
    ...(cause ? [`cause: ${causeWords(cause)} (shows in ${count(cause.checks.length, 'check')})`] : []),
    ...requirementsOf(verdict, report).flatMap(({ id, text, basis, risk }) => [
      `requires: ${text} (${id})`,
      ...(basis === undefined ? [] : [`rests on: ${basis}`]),
      ...(risk === undefined ? [] : [`risk: ${risk}`]),
    ]),
    ...facts.map(([name, text]) => `${factNames[name]}: ${text}`),
    ...exchangeLines(evidenceOf(finding), report, MAX_LINE_CHARS),
  ].join('\n');
}

const SET_UP = { classname: 'set-up', kind: 'error' } as const;
const KNOWN = { classname: 'known failures', kind: 'failure' } as const;

/** Test cases that are about the run itself, not about a check. */
function casesOfRun({ notSetUp = [], staleBaseline, summary }: Report): JunitCase[] {
  const cases: JunitCase[] = [
    ...notSetUp.map(({ problem: name, remedy: message }) => ({ ...SET_UP, name, message })),
    ...staleBaseline.map(({ check: name, because: message }) => ({ ...KNOWN, name, message })),
  ];
  const add = (name: string, message: string) =>
    cases.push({ classname: 'run', name, kind: 'error', message });
  if (!summary.finished && notSetUp.length === 0) add('the run goes to its end', 'The run was broken off.');
  if (summary.conclusion === 'nothing judged') add('something is judged', summary.sentence);
  return cases;
}

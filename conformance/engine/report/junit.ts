/** The report as JUnit XML, for pipelines: one test case per check; what was not judged is never green. */
import { adviceOf, causeOf, causeWords } from './causes/causes.ts';
import { type JunitCase, junitXml } from './junit-xml.ts';
import { requirementsOf } from './matrix.ts';
import type { Report, ReportedVerdict } from './schema/schema.ts';
import { exchangeLines } from './terminal/console-exchange.ts';
import { count, evidenceOf } from './words.ts';

/** Maximum line length; a pipeline's own view wraps the lines. */
const MAX_LINE_CHARS = 200;

/**
 * Failures become `<failure>`; inconclusive verdicts `<error>`. Warnings pass with their text in
 * `<system-out>`, or fail when they count. Checks that do not apply and known failures become `<skipped>`
 * with the reason. A run that was not set up or was aborted is a test case of its own, and so is each stale
 * entry of the list of known failures.
 */
export function junitOf(report: Report): string {
  const cases = [...report.verdicts.map((verdict) => caseOf(verdict, report)), ...casesOfRun(report)];
  const about = { name: `conformance of ${report.meta.target}`, startedAt: report.meta.startedAt };
  const seconds = report.scenarios.reduce((sum, { took }) => sum + took, 0) / 1_000;
  return junitXml({ ...about, seconds }, cases);
}

function caseOf(verdict: ReportedVerdict, report: Report): JunitCase {
  const { check, title, clause, finding, known, flaky } = verdict;
  const about = { classname: clause, name: `${check}: ${title}` };
  const cause = causeOf(check, report.causes);
  const because = cause?.check === undefined ? '' : `caused by ${causeWords(cause)}; `;
  if (flaky !== undefined) return flakyCase(verdict, report, { ...about, flaky });
  if (known !== undefined) return { ...about, kind: 'skipped', message: `known failure: ${known}` };
  switch (finding.outcome) {
    case 'pass':
      return { ...about, kind: 'passed' };
    case 'not applicable':
      return { ...about, kind: 'skipped', message: finding.because };
    case 'inconclusive': {
      const message = `${because}could not be judged: ${finding.because}`;
      return { ...about, kind: 'error', message, text: textOf(verdict, report) };
    }
    case 'fail': {
      const text = textOf(verdict, report);
      if (verdict.outcome === 'warning' && !report.summary.strict)
        return { ...about, kind: 'passed', text: `warning\n${text}` };
      const message = `${because}expected ${finding.expected}; actual ${finding.actual}`;
      return { ...about, kind: 'failure', message, text };
    }
  }
}

const FLAKY_WORDS = {
  pass: 'passed',
  fail: 'failed',
  warning: 'gave a warning',
  inconclusive: 'could not be judged',
  'not applicable': 'did not apply',
} as const;

/** A check known as flaky never breaks a pipeline; its case says whether it passed or failed. */
function flakyCase(
  verdict: ReportedVerdict,
  report: Report,
  { flaky, ...about }: Pick<JunitCase, 'classname' | 'name'> & { flaky: string },
): JunitCase {
  const text = textOf(verdict, report);
  const message = `known to be flaky, ${FLAKY_WORDS[verdict.outcome]} this time: ${flaky}`;
  if (verdict.outcome === 'pass') return { ...about, kind: 'passed', text: `${message}\n${text}` };
  return { ...about, kind: 'skipped', message, text };
}

function textOf(verdict: ReportedVerdict, report: Report): string {
  const { level, clause, finding } = verdict;
  const required = requirementsOf(verdict, report);
  const failed = finding.outcome === 'fail' ? finding : undefined;
  const facts = [
    ...(failed ? [`expected: ${failed.expected}`, `actual: ${failed.actual}`] : []),
    ...(finding.outcome === 'inconclusive' ? [`could not be judged: ${finding.because}`] : []),
    ...('blame' in finding ? [`to blame: ${finding.blame}`] : []),
    ...(failed ? [`to do: ${adviceOf(verdict.check, report.causes) ?? failed.advice}`] : []),
  ];
  const cause = causeOf(verdict.check, report.causes);
  return [
    `${level} ${clause}`,
    ...(cause ? [`cause: ${causeWords(cause)} (shows in ${count(cause.checks.length, 'check')})`] : []),
    ...required.map(({ id, text }) => `requires: ${text} (${id})`),
    ...facts,
    ...exchangeLines(evidenceOf(finding), report, MAX_LINE_CHARS),
  ].join('\n');
}

const SET_UP = { classname: 'set-up', kind: 'error' } as const;
const KNOWN = { classname: 'known failures', kind: 'failure' } as const;

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

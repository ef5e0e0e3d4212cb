/**
 * Selects the scenes of each verdict for the HTML report. A scene is the part of a scenario that shows why
 * the verdict was given.
 */

import { scenariosByEntry } from '../../journal/attribution.ts';
import type { Entry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import type { DiagramRow } from '../diagram/rows.ts';
import { selectRows } from '../diagram/select.ts';
import { byScenario } from '../scenarios.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { evidenceOf } from '../words.ts';
import { diagramOf } from './diagram.ts';
import { html, type Markup } from './markup.ts';

/**
 * A part of a scenario, as rows of a diagram. `evidence` is the `seq` of the entries that the verdict names,
 * `left` the number of messages that are not shown.
 */
export type Scene = {
  scenario: string;
  title: string;
  rows: DiagramRow[];
  evidence: ReadonlySet<number>;
  left: number;
};

/**
 * Limits the messages of a scene by outcome. A failure deserves room; of a pass a short example is enough.
 */
const MAX_MESSAGES = { pass: 8, other: 30 };
/** Limits the scenes of a verdict by outcome. */
const MAX_SCENES = { pass: 1, other: 4 };

export function scenesOf(run: Run, report: Report): Map<string, Scene[]> {
  const groups = byScenario(run.entries);
  const home = scenariosByEntry(run.entries);
  return new Map(
    report.verdicts.map((verdict) => [verdict.check, scenesOfVerdict(verdict, { groups, home, report })]),
  );
}

type Places = { groups: ReadonlyMap<string, Entry[]>; home: ReadonlyMap<number, string>; report: Report };

/** One scene for each scenario that the evidence of a verdict is in, up to the limit. */
function scenesOfVerdict({ finding, outcome }: ReportedVerdict, { groups, home, report }: Places): Scene[] {
  const evidence = new Set(evidenceOf(finding));
  const kind = outcome === 'pass' ? 'pass' : 'other';
  const names = new Set([...evidence].map((seq) => home.get(seq) ?? ''));
  return [...names].slice(0, MAX_SCENES[kind]).map((scenario) => {
    const { rows, left } = selectRows(groups.get(scenario) ?? [], evidence, MAX_MESSAGES[kind]);
    const title = report.scenarios.find((row) => row.scenario === scenario)?.title ?? scenario;
    return { scenario, title, rows, evidence, left };
  });
}

/**
 * Returns what a card shows of its scenes, by the `data-packed` of each part. The first scene is open; the
 * diagram of another is made when it is opened.
 * @param key the `data-packed` of the card
 * @param above what stands above the scenes
 */
export function sceneParts(
  key: string,
  scenes: readonly Scene[],
  above: Markup,
  hasMessage: (seq: number) => boolean,
): [string, string][] {
  const folds = scenes.map(
    ({ title }, index) =>
      html`<details class="scene" data-packed="${key} ${index}"${index === 0 && html` open`}><summary>In the scenario: ${title}</summary><div class="inside"></div></details>`,
  );
  const diagrams = scenes.map(({ scenario, rows, evidence, left }, index): [string, string] => {
    const more = left > 0 && html`<p class="gap">${left} more of the kind, in run.json</p>`;
    const rest = html`<p class="more"><a href="#scenario-${scenario}">The whole scenario</a></p>`;
    return [`${key} ${index}`, html`${diagramOf({ rows, evidence, hasMessage })}${more}${rest}`.text];
  });
  return [[key, html`${above}${folds}`.text], ...diagrams];
}

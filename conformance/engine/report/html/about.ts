/** The circumstances of the run: everything needed to repeat it. */
import type { Report } from '../schema/schema.ts';
import { straySentence } from '../strays.ts';
import { duration } from '../words.ts';
import { html, type Markup } from './markup.ts';

export function aboutOf(report: Report): Markup {
  const { meta, summary, scenarios } = report;
  const { abilities } = meta;
  const facts: [string, string][] = [
    ['Server under test', meta.target],
    ['Started', meta.startedAt],
    [
      'Played',
      `${scenarios.filter(({ scenario }) => scenario !== '').length} scenarios, ${duration(scenarios.reduce((sum, { took }) => sum + took, 0))}`,
    ],
    ['Mode', meta.mode === 'watch' ? 'a watched session' : 'scenarios'],
    ['Seed', String(meta.seed)],
    ['Made with', meta.tool],
    ['Node', meta.node],
    ['Requirement set', summary.requirementSet],
    ['Restricted to', summary.only ?? 'nothing: every check was asked'],
    ['Strict', summary.strict ? 'yes: warnings count as failures' : 'no: warnings do not count'],
    ['The kit itself stood still for', `${duration(meta.longestSilenceMs)} at most`],
    ['Requests of strangers', straySentence(report) ?? 'none'],
    ['Run to its end', summary.finished ? 'yes' : 'no, it was broken off'],
    ['Steps the server does not have', abilities.absentSteps.join(', ') || 'none'],
    ['Its clock can be moved', abilities.canAdvanceClock ? 'yes' : 'no'],
    [
      'Lifetime of a code',
      abilities.otpLifetimeSeconds === undefined ? 'not stated' : `${abilities.otpLifetimeSeconds} s`,
    ],
  ];
  return html`<dl class="about">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl><h3>Configuration</h3><pre class="configuration">${JSON.stringify(meta.configuration, null, 2)}</pre>`;
}

/**
 * Finds for a verdict that is not green the message that failed, and a good try of the same call: what is
 * wrong is seen best beside what is right.
 */
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import { JournalView, type PlayedStep } from '../../journal/view.ts';
import { Scenes } from '../agent/scene.ts';
import type { Report, ReportedVerdict } from '../schema/schema.ts';
import { answerOf, evidenceOf } from '../words.ts';
import { html, type Markup } from './markup.ts';

/** The `seq` of the message that failed, and of a good try of the same call where the run has one. */
export type TriedPair = { bad: number; good: number | undefined };

/** Returns the pair of each verdict that is not green and names a message, by the id of its check. */
export function pairsOf({ entries }: Run, { verdicts }: Report): Map<string, TriedPair> {
  const scenes = new Scenes(entries);
  const notGreen = verdicts.filter(({ outcome }) => outcome !== 'pass' && outcome !== 'not applicable');
  const tries = triesIn(entries, notGreen);
  return new Map(
    notGreen.flatMap((verdict) => {
      const bad = scenes.of(verdict).exchange;
      return bad ? [[verdict.check, { bad: bad.seq, good: goodTry(bad, verdict, tries)?.seq }]] : [];
    }),
  );
}

/** A call that succeeded, with the step that it belongs to. */
type Try = { exchange: ExchangeEntry; played: PlayedStep | undefined };

/**
 * The calls that succeeded, were not wrong on purpose, and show nothing wrong: no verdict that is not green
 * names them or their step.
 */
function triesIn(entries: Run['entries'], notGreen: readonly ReportedVerdict[]): Try[] {
  const journal = new JournalView(entries);
  const suspect = new Set(notGreen.flatMap(({ finding }) => evidenceOf(finding)));
  return journal.entries.flatMap((exchange) => {
    if (exchange.kind !== 'exchange' || exchange.facts.stray !== undefined || exchange.fault) return [];
    const played = journal.stepOf(exchange);
    const isSuspect = [exchange.seq, ...(played?.evidence ?? [])].some((seq) => suspect.has(seq));
    const isWrong = isSuspect || played?.step.defect !== undefined;
    return answerOf(exchange).tone !== 'good' || isWrong ? [] : [{ exchange, played }];
  });
}

/**
 * The good try of the same call that is nearest: one of a positive control of the check, else any. Undefined
 * where what failed is a success, and there is no control: another success may be as wrong.
 */
function goodTry(bad: ExchangeEntry, verdict: ReportedVerdict, tries: readonly Try[]) {
  const { scenarios, controls = [] } = verdict;
  const same = tries.filter(({ exchange }) => exchange.seq !== bad.seq && nameOf(exchange) === nameOf(bad));
  const isControl = ({ played }: Try) =>
    played?.result.kind === 'done' &&
    scenarios.includes(played.step.scenario) &&
    controls.includes(played.step.label);
  const certain = same.filter(isControl);
  if (certain.length > 0) return nearest(bad, certain);
  return answerOf(bad).tone === 'good' ? undefined : nearest(bad, same);
}

/** The nearest try: one of the same scenario, else any. */
function nearest(bad: ExchangeEntry, tries: readonly Try[]): ExchangeEntry | undefined {
  const all = tries.map(({ exchange }) => exchange);
  const near = all.filter(({ scenario }) => scenario === bad.scenario);
  const from = near.length > 0 ? near : all;
  return from.findLast(({ seq }) => seq < bad.seq) ?? from[0];
}

/** What makes two calls the same: parties, and the method of JSON-RPC, or that of HTTP with the path. */
function nameOf({ link, facts, request }: ExchangeEntry): string {
  return `${link} ${facts.call?.method ?? `${request.method} ${request.path.replace(/\?.*$/s, '')}`}`;
}

/** The places of both messages in a card. The script of the page puts the messages there, opened. */
export function pairPlaces({ bad, good }: TriedPair): Markup {
  return html`<div class="pair">${placeOf('bad', 'What failed', bad)}${good !== undefined && placeOf('good', 'A good try of the same call', good)}</div>`;
}

const placeOf = (kind: string, title: string, seq: number): Markup =>
  html`<figure class="try ${kind}" data-message="${seq}"><figcaption><h4>${title}</h4></figcaption></figure>`;

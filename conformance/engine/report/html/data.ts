/**
 * Chooses what the packed data of the page has: the diagrams of cards and scenarios, and the messages in
 * them, as many as fit into the limit.
 */
import { scenariosByEntry } from '../../journal/attribution.ts';
import type { ExchangeEntry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import type { DiagramRow } from '../diagram/rows.ts';
import { byScenario } from '../scenarios.ts';
import type { Report } from '../schema/schema.ts';
import { type CardOptions, insideOf } from './card.ts';
import type { Markup } from './markup.ts';
import { type Packed, type PackedMessage, packedElement, packedMessage } from './packed.ts';
import { partOf, scenarioDiagram } from './scenario.ts';
import { sceneParts, scenesOf } from './scenes.ts';

/**
 * The messages of a scenario that its diagram shows at most. Scenarios with a crowd of users have hundreds,
 * which nobody reads one by one. The later numbers are for runs that are too large for the page.
 */
const MOST_MESSAGES = [60, 30, 15, 8, 4, 0];

/** Returns the element with the data, of at most `limit` characters where that is possible. */
export function dataOf(run: Run, options: CardOptions, limit: number): Markup {
  const chosen = new Chosen(run, options);
  let element = packedElement(chosen.with(MOST_MESSAGES[0] ?? 0));
  for (const most of MOST_MESSAGES.slice(1)) {
    if (element.text.length <= limit) break;
    element = packedElement(chosen.with(most));
  }
  return element;
}

class Chosen {
  readonly #run: Run;
  readonly #report: Report;
  readonly #options: CardOptions;
  readonly #scenes: ReturnType<typeof scenesOf>;
  readonly #groups: ReturnType<typeof byScenario>;
  readonly #home: ReturnType<typeof scenariosByEntry>;
  readonly #messages = new Map<number, PackedMessage>();

  constructor(run: Run, options: CardOptions) {
    const { report } = options;
    this.#run = run;
    this.#options = options;
    this.#report = report;
    this.#scenes = scenesOf(run, report);
    this.#groups = byScenario(run.entries);
    this.#home = scenariosByEntry(run.entries);
  }

  with(most: number): Packed {
    const drawn = this.#report.scenarios.map((about) => ({
      about,
      part: partOf(this.#groups.get(about.scenario) ?? [], this.#report, most),
    }));
    const shown = new Set([
      ...[...this.#scenes.values()].flat().flatMap(callsOf),
      ...drawn.flatMap(({ part }) => callsOf(part)),
    ]);
    const hasMessage = (seq: number) => shown.has(seq);
    const ofChecks = this.#report.verdicts.flatMap((verdict) => {
      const scenes = this.#scenes.get(verdict.check) ?? [];
      return sceneParts(`check-${verdict.check}`, scenes, insideOf(verdict, this.#options), hasMessage);
    });
    const ofScenarios = drawn.map(({ about, part }) => [
      `scenario-${about.scenario}`,
      scenarioDiagram(about, part, hasMessage).text,
    ]);
    const messages = this.#run.entries.flatMap((entry) =>
      entry.kind === 'exchange' && shown.has(entry.seq) ? [[entry.seq, this.#message(entry)]] : [],
    );
    return {
      parts: Object.fromEntries([...ofChecks, ...ofScenarios]),
      messages: Object.fromEntries(messages),
    };
  }

  #message(exchange: ExchangeEntry): PackedMessage {
    const { seq } = exchange;
    const made = this.#messages.get(seq) ?? packedMessage(exchange, this.#home.get(seq) ?? '');
    this.#messages.set(seq, made);
    return made;
  }
}

const callsOf = ({ rows }: { rows: readonly DiagramRow[] }): number[] =>
  rows.flatMap((row) => (row.kind === 'call' ? [row.exchange.seq] : []));

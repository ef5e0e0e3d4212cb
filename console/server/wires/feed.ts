/** What crossed, as rows: the newest ones, masked, with the entries in clear behind them. */
import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import { type Limits, Newest } from '#conformance/engine/journal/newest.ts';
import type { Recorder } from '#conformance/engine/journal/recorder.ts';
import type { Alarm, Message, Row } from '../../api.ts';
import type { EventHub } from '../events.ts';
import type { Identities } from './identities.ts';
import { isOfLanes, rowOf, withoutReply } from './rows.ts';

/** Limits the rows that are kept, with the entries behind them. A usual row has about 3,000 characters. */
export const KEPT: Limits = { maxItems: 10_000, maxChars: 32 * 1024 * 1024 };

type FeedParts = {
  recorder: Recorder;
  identities: Identities;
  hub: EventHub;
  startedAt: number;
  /** Called with every new row and its entry, masked and in clear. */
  onRow: (row: Row, masked: Entry, clear: Entry) => void;
};

export class Feed {
  readonly #parts: FeedParts;
  readonly #kept = new Newest<{ row: Row; entry: Entry }>(KEPT);
  /** Ids of the messages that have no reply yet. */
  readonly #underWay = new Set<number>();
  #alarm: Alarm | null = null;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    parts.recorder.onLeave((entry) => {
      this.#underWay.add(entry.seq);
      this.#show(entry);
    });
    parts.recorder.onEntry((entry) => {
      this.#underWay.delete(entry.seq);
      const shown = this.#show(entry);
      if (shown) parts.onRow(shown.row, shown.masked, entry);
    });
  }

  get alarm(): Alarm | null {
    return this.#alarm;
  }

  /** All rows in the order of their ids. */
  rows(showsSecrets: boolean): Row[] {
    const inOrder = this.#kept.items.map(({ row }) => row).sort((a, b) => a.id - b.id);
    return showsSecrets ? inOrder.map((row) => this.#inClear(row.id) ?? row) : inOrder;
  }

  /** A message with its entry, masked unless `showsSecrets`. */
  message(id: number, showsSecrets: boolean): { message: Message; entry: ExchangeEntry } | undefined {
    const { entry, row } = this.#kept.get(id) ?? {};
    const message = showsSecrets ? this.#inClear(id) : row;
    if (entry?.kind !== 'exchange' || message?.kind !== 'message') return undefined;
    // Masked again: what was learned since is hidden as well.
    return { message, entry: showsSecrets ? entry : (this.#parts.recorder.mask(entry) as ExchangeEntry) };
  }

  clear(): void {
    this.#kept.clear();
    this.#underWay.clear();
    this.#alarm = null;
    this.#parts.recorder.clear();
  }

  #inClear(id: number): Row | undefined {
    const { entry } = this.#kept.get(id) ?? {};
    return entry && this.#rowOf(entry);
  }

  #rowOf(entry: Entry, of: Entry = entry): Row | undefined {
    const person = entry.kind === 'exchange' ? this.#parts.identities.personOf(entry) : undefined;
    const row = rowOf(of, this.#parts.startedAt, person);
    return row?.kind === 'message' && this.#underWay.has(row.id) ? withoutReply(row) : row;
  }

  /** Shows an entry in its row, which may be there already. */
  #show(entry: Entry): { row: Row; masked: Entry } | undefined {
    const { recorder, identities, hub } = this.#parts;
    if (entry.kind === 'exchange') identities.learn(entry);
    if (!isOfLanes(entry)) return undefined;
    const masked = recorder.mask(entry);
    const row = this.#rowOf(entry, masked);
    if (!row) return undefined;
    this.#kept.set(row.id, { row, entry });
    hub.publish('row', row, () => this.#inClear(row.id) ?? row);
    if (row.kind === 'message' && row.patientData) this.#raise({ message: row.id, found: row.patientData });
    return { row, masked };
  }

  /** Raises an alarm once, although its message is shown twice. */
  #raise(alarm: Alarm): void {
    if (JSON.stringify(alarm) === JSON.stringify(this.#alarm)) return;
    this.#alarm = alarm;
    this.#parts.hub.publish('alarm', alarm);
  }
}

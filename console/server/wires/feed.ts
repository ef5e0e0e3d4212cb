/** What crossed, as rows: the newest ten thousand, masked, with the entries in clear behind them. */
import type { Entry, ExchangeEntry } from '#conformance/engine/journal/entry.ts';
import type { Recorder } from '#conformance/engine/journal/recorder.ts';
import type { Alarm, Message, Row } from '../../api.ts';
import type { EventHub } from '../events/events.ts';
import type { Identities } from './identities.ts';
import { isOfLanes, rowOf } from './rows.ts';

/** The most rows that are kept, the newest ones. */
export const MAX_ROWS = 10_000;

export type FeedParts = { recorder: Recorder; identities: Identities; hub: EventHub; startedAt: number };

export class Feed {
  readonly #parts: FeedParts;
  readonly #rows = new Map<number, Row>();
  readonly #clear = new Map<number, Entry>();
  readonly #listeners = new Set<(row: Row, masked: Entry, clear: Entry) => void>();
  #alarm: Alarm | null = null;

  constructor(parts: FeedParts) {
    this.#parts = parts;
    parts.recorder.onEntry((entry) => this.#add(entry));
  }

  get alarm(): Alarm | null {
    return this.#alarm;
  }

  /** Calls `listener` with every new row and its entry, masked and in clear. */
  onRow(listener: (row: Row, masked: Entry, clear: Entry) => void): void {
    this.#listeners.add(listener);
  }

  /** All rows in the order of their ids. */
  rows(isClear: boolean): Row[] {
    const inOrder = [...this.#rows.values()].sort((a, b) => a.id - b.id);
    return isClear ? inOrder.map((row) => this.#inClear(row.id) ?? row) : inOrder;
  }

  /** A message with its entry, masked unless `isClear`. */
  message(id: number, isClear: boolean): { message: Message; entry: ExchangeEntry } | undefined {
    const entry = this.#clear.get(id);
    const message = isClear ? this.#inClear(id) : this.#rows.get(id);
    if (entry?.kind !== 'exchange' || message?.kind !== 'message') return undefined;
    // Masked again: what was learned since is hidden as well.
    return { message, entry: isClear ? entry : (this.#parts.recorder.mask(entry) as ExchangeEntry) };
  }

  clear(): void {
    this.#rows.clear();
    this.#clear.clear();
    this.#alarm = null;
    this.#parts.recorder.clear();
  }

  #inClear(id: number): Row | undefined {
    const entry = this.#clear.get(id);
    return entry && this.#rowOf(entry);
  }

  #rowOf(entry: Entry, of: Entry = entry): Row | undefined {
    const person = entry.kind === 'exchange' ? this.#parts.identities.personOf(entry) : undefined;
    return rowOf(of, this.#parts.startedAt, person);
  }

  #add(entry: Entry): void {
    const { recorder, identities, hub } = this.#parts;
    if (entry.kind === 'exchange') identities.learn(entry);
    if (!isOfLanes(entry)) return;
    const masked = recorder.mask(entry);
    const row = this.#rowOf(entry, masked);
    if (!row) return;
    this.#keep(row, entry);
    hub.publish('row', row, () => this.#inClear(row.id) ?? row);
    if (row.kind === 'message' && row.patientData) {
      this.#alarm = { message: row.id, found: row.patientData };
      hub.publish('alarm', this.#alarm);
    }
    for (const listener of this.#listeners) listener(row, masked, entry);
  }

  #keep(row: Row, entry: Entry): void {
    this.#rows.set(row.id, row);
    this.#clear.set(row.id, entry);
    if (this.#rows.size <= MAX_ROWS) return;
    const [oldest] = this.#rows.keys();
    if (oldest === undefined) return;
    this.#rows.delete(oldest);
    this.#clear.delete(oldest);
  }
}

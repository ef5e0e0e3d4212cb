/** Follows what the two servers hold: reads it after each message, and marks what the message changed. */
import type { Clock } from '#protocol/time/clock.ts';
import { changesBetween } from '../../api/state.ts';
import type { Message, State, StateChange, StateRow, StateTable } from '../../api.ts';
import type { ControlPort } from '../control-port.ts';
import type { DemoClock } from '../demo-clock.ts';
import type { EventHub } from '../events.ts';
import type { Identities } from '../wires/identities.ts';

/** Messages that come at once are followed by one reading. */
const READ_DELAY_MS = 20;
/** Changes that no message made, such as a moved clock, are seen within this time while a page is open. */
const POLL_INTERVAL_MS = 1_000;

type StateParts = Omit<TableParts, 'skewMs'> & {
  read: () => Promise<Contents>;
  hub: EventHub;
  demoClock: DemoClock;
  /** A clock that nobody moves. */
  realClock: Clock;
};

export class StateWatch {
  readonly #parts: StateParts;
  /** What each message changed. */
  readonly #changes = new Map<number, StateChange[]>();
  /** Messages since the last reading, the newest last. */
  #recent: Message[] = [];
  /** Changes whose message has not ended yet. */
  #waiting: StateChange[] = [];
  #state: State = { at: 0, tables: [] };
  #reading: Promise<void> | undefined;
  #isStopped = false;
  #cancel: () => void = () => undefined;

  constructor(parts: StateParts) {
    this.#parts = parts;
  }

  /** What is held now: it is read first where a message came since, or no page is open. */
  async current(): Promise<State> {
    if (this.#recent.length > 0 || !this.#parts.hub.hasStreams) await this.#tryReading();
    return this.#state;
  }

  changesBy(message: number): readonly StateChange[] {
    return this.#changes.get(message) ?? [];
  }

  /** Reads once, then keeps looking. */
  async start(): Promise<void> {
    await this.read();
    this.#poll();
  }

  stop(): void {
    this.#isStopped = true;
    this.#cancel();
  }

  /** Notes a message, and reads soon what it changed. */
  onMessage(message: Message): void {
    this.#recent.push(message);
    if (this.#recent.length === 1) this.#parts.realClock.after(READ_DELAY_MS, () => void this.#tryReading());
  }

  /** Forgets which message changed what. */
  clear(): void {
    this.#changes.clear();
    this.#recent = [];
    this.#waiting = [];
    this.#state = { ...this.#state, tables: this.#state.tables.map(withoutMarks) };
  }

  /** Reads both servers. One reading at a time: a later one waits, and sees all that came before it. */
  async read(): Promise<State> {
    const before = this.#reading ?? Promise.resolve();
    const reading = before.then(() => this.#readNow());
    this.#reading = reading.catch(() => undefined);
    await reading;
    return this.#state;
  }

  #poll(): void {
    this.#cancel = this.#parts.realClock.after(POLL_INTERVAL_MS, () => {
      const seen = this.#parts.hub.hasStreams ? this.#tryReading() : Promise.resolve();
      void seen.then(() => {
        if (!this.#isStopped) this.#poll();
      });
    });
  }

  /** A server that does not answer is stopping, or will answer the next reading. */
  async #tryReading(): Promise<void> {
    if (this.#isStopped) return;
    await this.read().catch(() => undefined);
  }

  async #readNow(): Promise<void> {
    const { read, hub, demoClock } = this.#parts;
    const recent = this.#recent;
    this.#recent = [];
    const [contents, hasMoved] = await Promise.all([read(), demoClock.follow()]);
    const tables = tablesOf(contents, { ...this.#parts, skewMs: demoClock.skewMs });
    const isFirst = this.#state.tables.length === 0;
    const changes = isFirst ? [] : changesBetween(this.#state.tables, tables);
    const marked = this.#mark(tables, changes, recent);
    const isNew = isFirst || JSON.stringify(marked) !== JSON.stringify(this.#state.tables);
    this.#state = { at: demoClock.now(), tables: marked };
    demoClock.setEnds(marked);
    if (isNew) hub.publish('state', this.#state);
    if (isNew || hasMoved) hub.publish('clock', demoClock.state());
  }

  /**
   * Marks the changed rows with the newest message to their server, and keeps the marks of the others. A
   * change may be seen before its message has ended: it waits for that message.
   */
  #mark(
    tables: readonly StateTable[],
    changes: readonly StateChange[],
    recent: readonly Message[],
  ): StateTable[] {
    const marks = new Map<string, number>();
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const change of [...waiting, ...changes]) {
      const isOf = ({ to }: Message) => to === change.party;
      const by = (waiting.includes(change) ? recent.find(isOf) : recent.findLast(isOf))?.id;
      if (by === undefined) this.#waiting.push(change);
      else {
        this.#changes.set(by, [...this.changesBy(by), change]);
        marks.set(placeOf(change, change.row), by);
      }
    }
    return tables.map((table, index) => {
      const earlier = new Map(this.#state.tables[index]?.rows.map((row) => [row.id, row.changedBy]));
      const rows = table.rows.map((row) => {
        const changedBy = marks.get(placeOf(table, row)) ?? earlier.get(row.id);
        return changedBy === undefined ? row : { ...row, changedBy };
      });
      return { ...table, rows };
    });
  }
}

function placeOf({ party, table }: Pick<StateTable, 'party' | 'table'>, { id }: StateRow): string {
  return `${party} ${table} ${id}`;
}

function withoutMarks(table: StateTable): StateTable {
  return { ...table, rows: table.rows.map(({ changedBy: _changedBy, ...row }) => row) };
}

/** What the control port of the EHR server lists at `/contents`. */
type EhrContents = {
  sessions: { tokenHash: string; user: string; patientId: string; expiresAt: number }[];
  exchangeTokens: { hash: string; user: string; expiresAt: number; failures: number }[];
  links: { user: string; patientId: string }[];
};

type AuthSession = { tokenHash: string; user: string; expiresAt: number };
type Correspondence = {
  user: string;
  attribute: { value: string };
  internalId: string;
  userSignOnRecord: boolean;
};

type Contents = { ehr: EhrContents; sessions: AuthSession[]; correspondence: Correspondence[] };

/** The most rows of a table that are told. */
const MAX_ROWS_TOLD = 200;

export async function readContents(ehr: ControlPort, auth: ControlPort): Promise<Contents> {
  const [contents, sessions, correspondence] = await Promise.all([
    ehr.get<EhrContents>('/contents'),
    auth.get<AuthSession[]>('/sessions'),
    auth.get<Correspondence[]>('/correspondence'),
  ]);
  return { ehr: contents, sessions, correspondence };
}

type TableParts = {
  identities: Identities;
  /** Hides what is known as a secret. */
  mask: (text: string) => string;
  /** How far each server is ahead of the demo's clock, in milliseconds. */
  skewMs: { auth: number; ehr: number };
};

/** The tables without the marks of what changed them. */
function tablesOf({ ehr, sessions, correspondence }: Contents, parts: TableParts): StateTable[] {
  const { identities, mask, skewMs } = parts;
  for (const { user, attribute } of correspondence) identities.learnUser(user, attribute.value);
  const userCells = (user: string) => {
    const person = identities.personOfUser(user);
    return { user: mask(user), ...(person !== undefined && { person }) };
  };
  const tokenCells = (hash: string, user: string, expiresAt: number, skew: number) => ({
    id: hash.slice(0, 16),
    token: identities.tokenName(hash),
    ...userCells(user),
    endsAt: expiresAt - skew,
  });
  return [
    table('ehr', 'exchangeTokens', ehr.exchangeTokens, ({ hash, user, expiresAt, failures }) => ({
      ...tokenCells(hash, user, expiresAt, skewMs.ehr),
      failures,
    })),
    table('ehr', 'sessions', ehr.sessions, ({ tokenHash, user, patientId, expiresAt }) => ({
      ...tokenCells(tokenHash, user, expiresAt, skewMs.ehr),
      patient: patientId,
    })),
    table('ehr', 'links', ehr.links, ({ user, patientId }) => ({
      id: user,
      ...userCells(user),
      patient: patientId,
    })),
    table('auth', 'sessions', sessions, ({ tokenHash, user, expiresAt }) =>
      tokenCells(tokenHash, user, expiresAt, skewMs.auth),
    ),
    table('auth', 'correspondence', correspondence, ({ user, attribute, internalId, userSignOnRecord }) => ({
      id: user,
      ...userCells(user),
      attribute: mask(attribute.value),
      internalId,
      signOnRecord: userSignOnRecord,
    })),
  ];
}

function table<Row>(
  party: StateTable['party'],
  name: StateTable['table'],
  rows: readonly Row[],
  cells: (row: Row) => StateRow,
): StateTable {
  return { party, table: name, rows: rows.slice(0, MAX_ROWS_TOLD).map(cells), total: rows.length };
}

/** What the page knows: all that the server told, and what the reader chose. */
import type {
  Alarm,
  HeldSession,
  LiveVerdict,
  MessageDetail,
  Overview,
  Replay,
  Row,
  State,
  StateChange,
  TextMessage,
  Time,
} from '../../api.ts';
import { type Filter, filtered, noFilter } from './lines.ts';

/** `refused`: the token is missing or wrong. `lost`: the demo does not answer. */
type Connection = 'connecting' | 'live' | 'lost' | 'refused';

export type Model = {
  readonly connection: Connection;
  readonly overview: Overview | undefined;
  /** What the page's own clock read when the time of the demo was told. */
  readonly clockToldAt: Time;
  /** Ordered by id. */
  readonly rows: readonly Row[];
  /** Rows that came while the page was paused. */
  readonly waiting: readonly Row[];
  readonly paused: boolean;
  /** Whether the lanes stay at their end. */
  readonly follows: boolean;
  readonly filter: Filter;
  /** By the id of the check. */
  readonly verdicts: ReadonlyMap<string, LiveVerdict>;
  readonly state: State | undefined;
  /** What the last change of the state was. */
  readonly changes: readonly StateChange[];
  readonly phone: readonly TextMessage[];
  readonly alarm: Alarm | undefined;
  /** The message of an alarm after which the reader went on. */
  readonly alarmSeen: number | undefined;
  /** Whether messages are shown in clear. */
  readonly inClear: boolean;
  /** Id of the chosen message. */
  readonly chosen: number | undefined;
  readonly detail: MessageDetail | undefined;
  /** Name of the chosen person, whose data fill the forms of the client. */
  readonly person: string | undefined;
  /** A saved run that is walked through instead of the live exchange. */
  readonly replay: Replay | undefined;
  /** How often both servers were emptied: the client of the page starts again each time. */
  readonly timesEmptied: number;
  /** What the scenario taken over last left to the client of the page, and how often that happened. */
  readonly handedOver: { readonly times: number; readonly held: HeldSession | undefined };
  /** Why the last act failed: in the server's words, or as a text of the page. */
  readonly problem: string | undefined;
};

export const emptyModel: Model = {
  connection: 'connecting',
  overview: undefined,
  clockToldAt: 0,
  rows: [],
  waiting: [],
  paused: false,
  follows: true,
  filter: noFilter,
  verdicts: new Map(),
  state: undefined,
  changes: [],
  phone: [],
  alarm: undefined,
  alarmSeen: undefined,
  inClear: false,
  chosen: undefined,
  detail: undefined,
  person: undefined,
  replay: undefined,
  timesEmptied: 0,
  handedOver: { times: 0, held: undefined },
  problem: undefined,
};

/** The rows on the page: those of a saved run while one is open. */
export function rowsShown({ rows, replay }: Model): readonly Row[] {
  return replay?.rows ?? rows;
}

export function verdictsShown({ verdicts, replay }: Model): readonly LiveVerdict[] {
  return replay?.verdicts ?? [...verdicts.values()];
}

/** Whether patient data reached the authorization server, in the saved run while one is open. */
export function hasLeaked({ alarm, replay }: Model): boolean {
  if (!replay) return alarm !== undefined;
  return replay.rows.some((row) => row.kind === 'message' && row.patientData !== undefined);
}

/** The alarm that halts the page, until the reader goes on. */
export function alarmShown({ alarm, alarmSeen }: Model): Alarm | undefined {
  return alarm?.message === alarmSeen ? undefined : alarm;
}

/** The message before or after the chosen one, among those that the filter shows. */
export function neighbour(model: Model, step: 1 | -1): number | undefined {
  const ids = filtered(rowsShown(model), model.filter).flatMap((row) =>
    row.kind === 'message' ? [row.id] : [],
  );
  const at = ids.indexOf(model.chosen ?? -1);
  if (at < 0) return step === 1 ? ids[0] : ids.at(-1);
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))];
}

export type Store = {
  readonly current: () => Model;
  readonly change: (by: (model: Model) => Model) => void;
  readonly subscribe: (onChange: () => void) => () => void;
};

export function createStore(initial: Partial<Model> = {}): Store {
  let model: Model = { ...emptyModel, ...initial };
  const readers = new Set<() => void>();
  return {
    current: () => model,
    change(by) {
      const next = by(model);
      if (next === model) return;
      model = next;
      for (const read of readers) read();
    },
    subscribe(onChange) {
      readers.add(onChange);
      return () => readers.delete(onChange);
    },
  };
}

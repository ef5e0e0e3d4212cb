/** How the model changes: by an event of the stream, or by an answer that the page asked for. */
import { changesBetween } from '../../api/state.ts';
import type { LiveVerdict, Row, State, TextMessage, Time } from '../../api.ts';
import type { AnyEvent } from '../connection/stream.ts';
import { addRows } from './lines.ts';
import { emptyModel, type Model } from './model.ts';

/** Everything that the page asks for when the stream begins, and after a reset. */
export type Loaded = {
  readonly rows: readonly Row[];
  readonly verdicts: readonly LiveVerdict[];
  readonly state: State;
  readonly phone: readonly TextMessage[];
};

/**
 * Takes the answers. What the stream told while they were on their way is newer, and stays.
 * @param before the model when they were asked for
 */
export function onLoaded(model: Model, { rows, verdicts, state, phone }: Loaded, before: Model): Model {
  const judged = [...model.verdicts].filter(([check, verdict]) => before.verdicts.get(check) !== verdict);
  const newer = [...since(before.rows, model.rows), ...since(before.waiting, model.waiting)];
  const all = addRows([], [...rows, ...newer]);
  const known = new Set(model.rows.map(({ id }) => id));
  const mustWait = ({ id }: Row) => model.paused && !known.has(id);
  return {
    ...model,
    connection: 'live',
    rows: all.filter((row) => !mustWait(row)),
    waiting: all.filter(mustWait),
    verdicts: new Map([...verdicts.map((verdict) => [verdict.check, verdict] as const), ...judged]),
    state: model.state === undefined || model.state === before.state ? state : model.state,
    changes: [],
    phone: [...model.phone.filter(({ id }) => !phone.some((text) => text.id === id)), ...phone],
  };
}

/** Returns the rows that are in `now` and not in `before`. */
function since(before: readonly Row[], now: readonly Row[]): readonly Row[] {
  if (now === before) return [];
  const known = new Set(before);
  return now.filter((row) => !known.has(row));
}

/** @param now what the page's own clock reads */
export function onEvent(model: Model, event: AnyEvent, now: Time): Model {
  switch (event.name) {
    case 'overview':
      return { ...model, overview: event.data, clockToldAt: now, alarm: event.data.alarm ?? undefined };
    case 'row':
      return onRow(model, event.data);
    case 'verdict':
      return { ...model, verdicts: new Map(model.verdicts).set(event.data.check, event.data) };
    case 'state':
      return onState(model, event.data);
    case 'text':
      return { ...model, phone: [event.data, ...model.phone.filter(({ id }) => id !== event.data.id)] };
    case 'alarm':
      return { ...model, alarm: event.data, paused: true, replay: undefined };
    case 'reset':
      return {
        ...emptyModel,
        ...keptAtReset(model),
        timesEmptied: model.timesEmptied + Number(event.data.isEmptied),
      };
    case 'clock':
      return { ...withOverview(model, { clock: event.data }), clockToldAt: now };
    case 'faults':
      return withOverview(model, { faults: event.data });
    case 'textTrouble':
      return withOverview(model, { textTrouble: event.data });
    case 'scenario':
      return withOverview(model, { scenario: event.data });
  }
}

/** While the page is paused, rows wait. The message of an alarm is shown at once. */
function onRow(model: Model, row: Row): Model {
  const alarming = row.kind === 'message' && row.patientData !== undefined;
  if (model.paused && !alarming) return { ...model, waiting: addRows(model.waiting, [row]) };
  return { ...model, rows: addRows(model.rows, [row]) };
}

function onState(model: Model, state: State): Model {
  const changes = model.state ? changesBetween(model.state.tables, state.tables) : [];
  return { ...model, state, changes: changes.length > 0 ? changes : model.changes };
}

function withOverview(model: Model, change: Partial<NonNullable<Model['overview']>>): Model {
  return model.overview ? { ...model, overview: { ...model.overview, ...change } } : model;
}

/** A pause lasts, unless it was that of an alarm. */
function keptAtReset({ paused, alarm, ...model }: Model): Partial<Model> {
  const { connection, overview, clockToldAt, inClear, person, handedOver } = model;
  const isPaused = paused && alarm === undefined;
  return { connection, overview, clockToldAt, inClear, person, handedOver, paused: isPaused };
}

/** Shows rows that wait: the oldest one, or all. */
export function release(model: Model, which: 'one' | 'all'): Model {
  const [first, ...rest] = model.waiting;
  if (which === 'all')
    return { ...model, paused: false, waiting: [], rows: addRows(model.rows, model.waiting) };
  return first ? { ...model, waiting: rest, rows: addRows(model.rows, [first]) } : model;
}

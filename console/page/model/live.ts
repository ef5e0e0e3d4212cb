/** The link to the demo: what the page asks for at its start, the stream after it, and the chosen message. */
import type { Clock } from '#protocol/time/clock.ts';
import { type Link, Refused } from '../connection/link.ts';
import { type AnyEvent, openStream } from '../connection/stream.ts';
import { texts } from '../texts.ts';
import type { Model } from './model.ts';
import { onEvent, onLoaded } from './reduce.ts';
import type { Store } from './store.ts';

/** How long messages wait for others: one frame of a screen. */
const FRAME_MS = 16;

export type LiveParts = { store: Store; link: Link; clock: Clock };

export type Live = {
  set(change: Partial<Model>): void;
  /** Runs a request. A refusal is shown to the reader. */
  attempt<T>(request: Promise<T>): Promise<T | undefined>;
  open(): Promise<void>;
  /** Opens the stream again. */
  connect(): void;
  choose(id: number | undefined): Promise<void>;
};

export function openLive({ store, link, clock }: LiveParts): Live {
  const set = (change: Partial<Model>) => store.change((model) => ({ ...model, ...change }));
  const attempt = attempting(set);
  const choose = choosing({ store, link, attempt, set });
  const load = loading({ store, link, attempt });
  let close: (() => void) | undefined;
  let waiting: AnyEvent[] = [];

  /** A burst of messages is drawn at once: each drawing costs as much as all lines in view. */
  function take(event: AnyEvent): void {
    waiting.push(event);
    if (event.name !== 'row' && event.name !== 'verdict') flush();
    else if (waiting.length === 1) clock.after(FRAME_MS, flush);
    if (event.name === 'overview' || event.name === 'reset') void load();
    if (event.name === 'alarm') halt(event.data.message);
    // The reply of the chosen message has come.
    if (event.name === 'row' && event.data.id === store.current().chosen) void choose(event.data.id);
  }

  function flush(): void {
    const events = waiting;
    waiting = [];
    store.change((model) => events.reduce((changed, event) => onEvent(changed, event, clock.now()), model));
  }

  function halt(message: number): void {
    if (store.current().overview?.scenario.phase === 'playing') void attempt(link.scenario({ do: 'pause' }));
    void choose(message);
  }

  function connect(): void {
    close?.();
    const onLost = () =>
      store.change((model) => (model.connection === 'live' ? { ...model, connection: 'lost' } : model));
    const open = () => link.events(store.current().inClear);
    close = openStream({ open, clock, onEvent: take, onLost });
  }

  /** Asks once before the stream is opened, because a stream does not tell why it was refused. */
  async function open(): Promise<void> {
    const overview = await attempt(link.overview());
    if (!overview) return;
    set({ overview, clockToldAt: clock.now(), alarm: overview.alarm ?? undefined });
    connect();
  }

  return { set, attempt, open, connect, choose };
}

function attempting(set: Live['set']): Live['attempt'] {
  return async (request) => {
    try {
      const answer = await request;
      set({ problem: undefined });
      return answer;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) set({ connection: 'refused' });
      else set({ problem: error instanceof Refused ? error.message : texts.lost });
      return undefined;
    }
  };
}

/** Returns what asks for everything. Of several askings the newest counts: a reset may lie between them. */
function loading({ store, link, attempt }: Pick<LiveParts & Live, 'store' | 'link' | 'attempt'>) {
  let asked = 0;
  return async () => {
    const own = ++asked;
    const before = store.current();
    const all = Promise.all([link.messages(before.inClear), link.verdicts(), link.state(), link.phone()]);
    const loaded = await attempt(all);
    if (!loaded || own !== asked) return;
    const [rows, verdicts, state, phone] = loaded;
    store.change((model) => onLoaded(model, { rows, verdicts, state, phone }, before));
  };
}

function choosing({
  store,
  link,
  attempt,
  set,
}: Pick<LiveParts & Live, 'store' | 'link' | 'attempt' | 'set'>) {
  return async (id: number | undefined) => {
    const { replay, inClear } = store.current();
    if (id === undefined || replay)
      return set({ chosen: id, detail: id === undefined ? undefined : replay?.details[id] });
    set({ chosen: id });
    const detail = await attempt(link.message(id, inClear));
    store.change((model) => (detail && model.chosen === id ? { ...model, detail } : model));
  };
}

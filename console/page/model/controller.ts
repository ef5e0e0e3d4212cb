/** What the reader can do, and the link to the demo: each act asks the server, whose answers change the model. */
import type { Clock } from '#protocol/time/clock.ts';
import {
  type ArmFault,
  MAX_RUN_BYTES,
  type Moment,
  type MoveClock,
  type PlayScenario,
  RUN_TOO_LARGE,
  type TextTrouble,
} from '../../api.ts';
import { type Link, Refused } from '../connection/link.ts';
import { type AnyEvent, openStream } from '../connection/stream.ts';
import { type Filter, noFilter } from './lines.ts';
import type { Model, Store } from './model.ts';
import { onEvent, onLoaded, release } from './reduce.ts';

/** What the page says when the demo cannot be reached. */
export const NO_ANSWER = 'The demo does not answer';

export type Controller = ReturnType<typeof createController>;

export function createController(parts: { store: LiveParts['store']; link: Link; clock: Clock }) {
  const live = openLive(parts);
  return {
    ...viewing(parts, live),
    ...asking(parts.link, live),
    ...walking(parts, live),
    ...handing(parts, live),
  };
}

/** Acts that change what the page shows. */
function viewing({ store }: LiveParts, { set, open, connect, choose }: Live) {
  return {
    open,
    choose,
    filter: (filter: Filter) => set({ filter }),
    pause: () => set({ paused: true }),
    resume: () => store.change((model) => release(model, 'all')),
    showNext: () => store.change((model) => release(model, 'one')),
    follow: (follows: boolean) => set({ follows }),
    choosePerson: (person: string | undefined) => set({ person }),
    /** Closes the notice of patient data that crossed, and goes on. */
    goOnAfterAlarm: () =>
      store.change((model) => release({ ...model, alarmSeen: model.alarm?.message }, 'all')),
    forgetProblem: () => set({ problem: undefined }),
    showInClear(inClear: boolean): void {
      set({ inClear });
      connect();
      void choose(store.current().chosen);
    },
  };
}

/** Acts of the demo: its clock, its trouble, its scenarios and its situation. */
function asking(link: Link, { attempt }: Live) {
  return {
    moveClock: (move: MoveClock) => attempt(link.moveClock(move)),
    arm: (fault: ArmFault) => attempt(link.arm(fault)),
    disarm: (id: number) => attempt(link.disarm(id)),
    textTrouble: (trouble: TextTrouble) => attempt(link.textTrouble(trouble)),
    scenario: (play: PlayScenario) => attempt(link.scenario(play)),
    snapshots: async () => (await attempt(link.snapshots())) ?? [],
    takeSnapshot: (name: string) => attempt(link.takeSnapshot({ name })),
    deleteSnapshot: (id: number) => attempt(link.deleteSnapshot(id)),
    restore: (id: number) => attempt(link.restore(id)),
    reset: () => attempt(link.reset()),
    moment: () => attempt(link.moment()),
    openMoment: (moment: Moment) => attempt(link.openMoment(moment)),
    runJson: () => attempt(link.runJson()),
    hasToken: link.hasToken,
  };
}

/** Ends the scenario for the person's own hands, and leaves its session to the client of the page. */
function handing({ store, link }: LiveParts, { set, attempt }: Live) {
  return {
    async takeOver(): Promise<void> {
      const taken = await attempt(link.takeOver());
      if (!taken) return;
      const { held, ...scenario } = taken;
      const { overview, handedOver } = store.current();
      // Both at once: the frame that now opens finds the session.
      set({
        overview: overview && { ...overview, scenario },
        handedOver: { times: handedOver.times + 1, held },
      });
    },
  };
}

/** Acts of a saved run. */
function walking({ link }: LiveParts, { set, attempt, choose }: Live) {
  return {
    async replay(run: Pick<Blob, 'size' | 'text'>): Promise<void> {
      // To read it would take the page seconds.
      if (run.size > MAX_RUN_BYTES) return set({ problem: RUN_TOO_LARGE });
      const runJson = await run.text();
      if (!isJson(runJson)) return set({ problem: 'The file is not JSON, so it is no run.json. Please open one that was saved.' });
      const replay = await attempt(link.replay(runJson));
      if (!replay) return;
      set({ replay, follows: false, filter: noFilter });
      await choose(replay.rows.find(({ kind }) => kind === 'message')?.id);
    },
    leaveReplay: () =>
      set({ replay: undefined, chosen: undefined, detail: undefined, follows: true, filter: noFilter }),
  };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How long messages wait for others: one frame of a screen. */
const FRAME_MS = 16;

type LiveParts = { store: Store; link: Link; clock: Clock };

type Live = {
  set(change: Partial<Model>): void;
  /** Runs a request. A refusal is shown to the reader. */
  attempt<T>(request: Promise<T>): Promise<T | undefined>;
  open(): Promise<void>;
  /** Opens the stream again. */
  connect(): void;
  choose(id: number | undefined): Promise<void>;
};

function openLive({ store, link, clock }: LiveParts): Live {
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
      else set({ problem: error instanceof Refused ? error.message : NO_ANSWER });
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

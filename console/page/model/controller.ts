/** What the reader can do, and the link to the demo: each act asks the server, whose answers change the model. */
import type { Clock } from '#protocol/time/clock.ts';
import type * as Api from '../../api.ts';
import { MAX_RUN_BYTES, RUN_TOO_LARGE } from '../../api.ts';
import { Refused, type Requests } from '../connection/requests.ts';
import { type AnyEvent, openStream } from '../connection/stream.ts';
import { type Filter, noFilter } from './lines.ts';
import type { Model, Store } from './model.ts';
import { onEvent, onLoaded, release } from './reduce.ts';

/** What the page says when the demo cannot be reached. */
export const NO_ANSWER = 'The demo does not answer';

export type Controller = ReturnType<typeof createController>;

export function createController(parts: LiveParts) {
  const live = openLive(parts);
  return {
    ...viewing(parts, live),
    ...asking(parts.requests, live),
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
function asking({ get, text, post, remove, hasToken }: Requests, { attempt }: Live) {
  return {
    moveClock: (move: Api.MoveClock) => attempt(post('clock', move)),
    arm: (fault: Api.ArmFault) => attempt(post('faults', fault)),
    disarm: (id: number) => attempt(remove(`faults/${id}`)),
    textTrouble: (trouble: Api.TextTrouble) => attempt(post('text-trouble', trouble)),
    scenario: (play: Api.PlayScenario) => attempt(post('scenario', play)),
    snapshots: async () => (await attempt(get<Api.Snapshot[]>('snapshots'))) ?? [],
    takeSnapshot: (snapshot: Api.TakeSnapshot) => attempt(post<Api.Snapshot>('snapshots', snapshot)),
    deleteSnapshot: (id: number) => attempt(remove<Api.Snapshot[]>(`snapshots/${id}`)),
    restore: (id: number) => attempt(post<Api.State>(`snapshots/${id}/restore`)),
    reset: () => attempt(post('reset')),
    moment: () => attempt(get<Api.Moment>('moment')),
    openMoment: (moment: Api.Moment) => attempt(post('moment', moment)),
    /** What was recorded, as the text of a run.json. */
    runJson: () => attempt(text('run.json')),
    hasToken,
  };
}

/** Ends the scenario for the person's own hands, and leaves its session to the client of the page. */
function handing({ store, requests }: LiveParts, { set, attempt }: Live) {
  return {
    async takeOver(): Promise<void> {
      const taken = await attempt(requests.post<Api.TakenOver>('scenario', { do: 'takeOver' }));
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
function walking({ requests }: LiveParts, { set, attempt, choose }: Live) {
  return {
    async replay(run: Pick<Blob, 'size' | 'text'>): Promise<void> {
      // To read it would take the page seconds.
      if (run.size > MAX_RUN_BYTES) return set({ problem: RUN_TOO_LARGE });
      const runJson = await run.text();
      if (!isJson(runJson))
        return set({
          problem: 'The file is not JSON, so it is no run.json. Please open one that was saved.',
        });
      const replay = await attempt(requests.post<Api.Replay>('replay', runJson));
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

type LiveParts = { store: Store; requests: Requests; clock: Clock };

type Live = {
  set(change: Partial<Model>): void;
  /** Runs a request. A refusal is shown to the reader. */
  attempt<T>(request: Promise<T>): Promise<T | undefined>;
  open(): Promise<void>;
  /** Opens the stream again. Each stream begins with an overview, so everything is loaded again. */
  connect(): void;
  choose(id: number | undefined): Promise<void>;
};

function openLive(parts: LiveParts): Live {
  const { store, requests, clock } = parts;
  const set = (change: Partial<Model>) => store.change((model) => ({ ...model, ...change }));
  const attempt = attempting(set);
  const choose = choosing(parts, { set, attempt });
  const load = loading(parts, attempt);
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
    if (store.current().overview?.scenario.phase === 'playing')
      void attempt(requests.post('scenario', { do: 'pause' }));
    void choose(message);
  }

  function connect(): void {
    close?.();
    const onLost = () =>
      store.change((model) => (model.connection === 'live' ? { ...model, connection: 'lost' } : model));
    const open = () => requests.events(store.current().inClear);
    close = openStream({ open, clock, onEvent: take, onLost });
  }

  /** Asks once before the stream is opened, because a stream does not tell why it was refused. */
  async function open(): Promise<void> {
    const overview = await attempt(requests.get<Api.Overview>('overview'));
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
function loading({ store, requests: { get } }: LiveParts, attempt: Live['attempt']) {
  let asked = 0;
  return async () => {
    const own = ++asked;
    const before = store.current();
    const all = Promise.all([
      get<Api.Row[]>(withSecrets('messages', before.inClear)),
      get<Api.LiveVerdict[]>('verdicts'),
      get<Api.State>('state'),
      get<Api.TextMessage[]>('phone'),
    ]);
    const loaded = await attempt(all);
    if (!loaded || own !== asked) return;
    const [rows, verdicts, state, phone] = loaded;
    store.change((model) => onLoaded(model, { rows, verdicts, state, phone }, before));
  };
}

function choosing({ store, requests }: LiveParts, { set, attempt }: Pick<Live, 'set' | 'attempt'>) {
  return async (id: number | undefined) => {
    const { replay, inClear } = store.current();
    if (id === undefined || replay)
      return set({ chosen: id, detail: id === undefined ? undefined : replay?.details[id] });
    set({ chosen: id });
    const detail = await attempt(requests.get<Api.MessageDetail>(withSecrets(`messages/${id}`, inClear)));
    store.change((model) => (detail && model.chosen === id ? { ...model, detail } : model));
  };
}

function withSecrets(path: string, inClear: boolean): string {
  return inClear ? `${path}?secrets=show` : path;
}

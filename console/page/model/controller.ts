/** What the reader can do: each act asks the server, and what comes back changes the model. */
import type { Clock } from '#protocol/time/clock.ts';
import type { ArmFault, Moment, MoveClock, PlayScenario, TextTrouble } from '../../api.ts';
import { type Link, Refused } from '../connection/link.ts';
import { type AnyEvent, openStream } from '../connection/stream.ts';
import type { Filter } from './filter.ts';
import { onEvent, onLoaded, release } from './reduce.ts';
import type { Store } from './store.ts';

export type Controller = ReturnType<typeof createController>;

export function createController({ store, link, clock }: { store: Store; link: Link; clock: Clock }) {
  let close: (() => void) | undefined;
  const set = (change: Partial<ReturnType<Store['current']>>) => store.change((model) => ({ ...model, ...change }));

  /** Runs a request. A refusal is shown to the reader. */
  async function attempt<T>(request: Promise<T>): Promise<T | undefined> {
    try {
      const answer = await request;
      set({ problem: undefined });
      return answer;
    } catch (error) {
      if (error instanceof Refused && error.status === 401) set({ connection: 'refused' });
      else set({ problem: error instanceof Error ? error.message : String(error) });
      return undefined;
    }
  }

  async function load(): Promise<void> {
    const { inClear, state: before } = store.current();
    const all = Promise.all([link.messages(inClear), link.verdicts(), link.state(), link.phone()]);
    const loaded = await attempt(all);
    if (!loaded) return;
    const [rows, verdicts, state, phone] = loaded;
    // What the stream told meanwhile is newer than what was asked for.
    store.change((model) => {
      const newest = model.state !== undefined && model.state !== before ? model.state : state;
      return onLoaded(model, { rows, verdicts, state: newest, phone });
    });
  }

  function take(event: AnyEvent): void {
    store.change((model) => onEvent(model, event, clock.now()));
    if (event.name === 'overview' || event.name === 'reset') void load();
    if (event.name === 'alarm') stopTheShow(event.data.message);
  }

  function stopTheShow(message: number): void {
    if (store.current().overview?.scenario.phase === 'playing') void attempt(link.scenario({ do: 'pause' }));
    void choose(message);
  }

  function connect(): void {
    close?.();
    const address = link.address('events', store.current().inClear ? { secrets: 'show' } : {});
    const onLost = () =>
      store.change((model) => (model.connection === 'live' ? { ...model, connection: 'lost' } : model));
    close = openStream({ address, clock, onEvent: take, onLost });
  }

  async function choose(id: number | undefined): Promise<void> {
    const { replay, inClear } = store.current();
    if (id === undefined || replay)
      return set({ chosen: id, detail: id === undefined ? undefined : replay?.details[id] });
    set({ chosen: id });
    const detail = await attempt(link.message(id, inClear));
    store.change((model) => (detail && model.chosen === id ? { ...model, detail } : model));
  }

  return {
    /** Asks once before the stream is opened, because a stream does not tell why it was refused. */
    async open(): Promise<void> {
      const overview = await attempt(link.overview());
      if (!overview) return;
      set({ overview, clockToldAt: clock.now(), alarm: overview.alarm ?? undefined });
      connect();
    },
    choose,
    filter: (filter: Filter) => set({ filter }),
    pause: () => set({ paused: true }),
    resume: () => store.change((model) => release(model, 'all')),
    showNext: () => store.change((model) => release(model, 'one')),
    follow: (follows: boolean) => set({ follows }),
    choosePerson: (person: string | undefined) => set({ person }),
    /** Closes the notice of patient data that crossed, and goes on. */
    goOnAfterAlarm: () => store.change((model) => release({ ...model, alarmSeen: model.alarm?.message }, 'all')),
    forgetProblem: () => set({ problem: undefined }),
    showInClear(inClear: boolean): void {
      set({ inClear });
      connect();
      void choose(store.current().chosen);
    },
    moveClock: (move: MoveClock) => attempt(link.moveClock(move)),
    arm: (fault: ArmFault) => attempt(link.arm(fault)),
    disarm: (id?: number) => attempt(link.disarm(id)),
    textTrouble: (trouble: TextTrouble) => attempt(link.textTrouble(trouble)),
    scenario: (play: PlayScenario) => attempt(link.scenario(play)),
    snapshots: async () => (await attempt(link.snapshots())) ?? [],
    takeSnapshot: (name: string) => attempt(link.takeSnapshot({ name })),
    restore: (id: number) => attempt(link.restore(id)),
    reset: () => attempt(link.reset()),
    moment: () => attempt(link.moment()),
    openMoment: (moment: Moment) => attempt(link.openMoment(moment)),
    async replay(runJson: string): Promise<void> {
      const replay = await attempt(link.replay(runJson));
      if (!replay) return;
      set({ replay, follows: false });
      await choose(replay.rows.find(({ kind }) => kind === 'message')?.id);
    },
    leaveReplay: () => set({ replay: undefined, chosen: undefined, detail: undefined, follows: true }),
    address: link.address,
  };
}

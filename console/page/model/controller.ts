/** What the reader can do: each act asks the server, and what comes back changes the model. */
import type { Clock } from '#protocol/time/clock.ts';
import type { ArmFault, Moment, MoveClock, PlayScenario, TextTrouble } from '../../api.ts';
import type { Link } from '../connection/link.ts';
import { texts } from '../texts.ts';
import { type Filter, noFilter } from './filter.ts';
import { type Live, type LiveParts, openLive } from './live.ts';
import { release } from './reduce.ts';

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
    async replay(runJson: string): Promise<void> {
      if (!isJson(runJson)) return set({ problem: texts.runNotJson });
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

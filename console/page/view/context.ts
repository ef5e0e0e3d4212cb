/** What every part of the page needs: the model, what can be done, and the clock. */
import { createContext, useContext, useEffect, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { PlayScenario, Time, Wire } from '../../api.ts';
import type { Controller } from '../model/controller.ts';
import type { Model } from '../model/model.ts';
import type { FormFiller } from './client/form-filler.ts';

/** How fast Play plays: how long it waits between two steps. */
export const paces = { slow: 5_000, walking: 1_000, atOnce: 0 } as const;

export type PlayPace = keyof typeof paces;

/** What is open on the page. */
export type Ui = {
  /** The part of the page that a narrow screen shows. */
  readonly view: 'client' | 'lanes' | 'details' | 'controls';
  readonly tab: 'message' | 'state' | 'verdicts';
  readonly dialog:
    | 'time'
    | 'record'
    | 'ownClient'
    | 'keys'
    | 'legend'
    | 'reset'
    | `trouble:${Wire}`
    | undefined;
  readonly tour: boolean;
  /** Id of the scenario that was chosen in the list. Empty: the one that the demo plays, if any. */
  readonly scenario: string;
  readonly pace: PlayPace;
  /** The run that the tour began, by how often the demo was emptied: its sentences stand beside it. */
  readonly toldRun: number | undefined;
};

export type ConsoleContext = {
  readonly model: Model;
  readonly act: Controller;
  readonly ui: Ui;
  readonly setUi: (change: Partial<Ui>) => void;
  /** Chooses a message, and opens its details. */
  readonly show: (message: number) => void;
  readonly filler: FormFiller;
  readonly clock: Clock;
};

export const Context = createContext<ConsoleContext | undefined>(undefined);

export function useConsole(): ConsoleContext {
  const context = useContext(Context);
  if (!context) throw new Error('A part of the page stands outside of its context.');
  return context;
}

/** Returns the time of the demo, read again every `everyMs` milliseconds. */
export function useDemoTime(everyMs: number): Time {
  const { model, clock } = useConsole();
  const [, setReading] = useState(0);
  useEffect(() => clock.after(everyMs, () => setReading(clock.now())));
  return (model.overview?.clock.now ?? 0) + clock.now() - model.clockToldAt;
}

type ChosenScenario = {
  /** Empty: none is chosen. */
  readonly id: string;
  readonly isPlaying: boolean;
  /** What `play` and `step` name: without an id the scenario goes on from where it stands, else it begins. */
  readonly which: Pick<PlayScenario, 'id'>;
};

export function chosenScenario({ model, ui }: Pick<ConsoleContext, 'model' | 'ui'>): ChosenScenario {
  const state = model.overview?.scenario;
  const id = ui.scenario || (state?.id ?? '');
  const isBegun = state?.id === id && ['playing', 'paused'].includes(state.phase);
  return { id, isPlaying: state?.phase === 'playing', which: isBegun ? {} : { id } };
}

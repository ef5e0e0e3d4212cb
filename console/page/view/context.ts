/** What every part of the page needs: the model, what can be done, and the clock. */
import { createContext, useContext, useEffect, useState } from 'react';
import type { Clock } from '#protocol/time/clock.ts';
import type { Time, Wire } from '../../api.ts';
import type { Controller } from '../model/controller.ts';
import type { Model } from '../model/model.ts';
import type { FormFiller } from './client/form-filler.ts';

/** How fast Play plays: how long it waits between two steps. */
export const paces = { slow: 5_000, walking: 1_000, atOnce: 0 } as const;

export type PlayPace = keyof typeof paces;

export type NamedDialog = 'time' | 'record' | 'ownClient' | 'keys' | 'legend' | 'reset';

/** What is open on the page. */
export type Ui = {
  /** The part of the page that a narrow screen shows. */
  readonly view: 'client' | 'lanes' | 'details' | 'controls';
  readonly tab: 'message' | 'state' | 'verdicts';
  readonly dialog: NamedDialog | { troubleOn: Wire } | undefined;
  readonly tour: boolean;
  /** Id of the scenario that was chosen in the list. Empty: the one that the demo plays, if any. */
  readonly scenario: string;
  readonly pace: PlayPace;
  /** How often the demo was emptied when the tour began its run. Sentences stand beside that run. */
  readonly tourRun: number | undefined;
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
  // Without dependencies: each reading draws the part, which waits for the next one.
  useEffect(() => clock.after(everyMs, () => setReading(clock.now())));
  return (model.overview?.clock.now ?? 0) + clock.now() - model.clockToldAt;
}

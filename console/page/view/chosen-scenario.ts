/** The scenario that was chosen in the list, and how the bar and the keys play it. */
import type { PlayScenario } from '../../api.ts';
import { type ConsoleContext, paces } from './context.ts';

type ChosenScenario = {
  /** Empty: none is chosen. */
  readonly id: string;
  /** Whether a scenario plays, the chosen one or another. */
  readonly isAnyPlaying: boolean;
  /** What `play` and `step` name. Without an id the scenario goes on; with one it begins. */
  readonly target: Pick<PlayScenario, 'id'>;
};

export function chosenScenario({ model, ui }: Pick<ConsoleContext, 'model' | 'ui'>): ChosenScenario {
  const state = model.overview?.scenario;
  const id = ui.scenario || (state?.id ?? '');
  const isBegun = state?.id === id && ['playing', 'paused'].includes(state.phase);
  return { id, isAnyPlaying: state?.phase === 'playing', target: isBegun ? {} : { id } };
}

/** Plays the chosen scenario, or goes on with it. The introduction steps aside, since it covers the lanes. */
export function playChosen(context: ConsoleContext): void {
  const { act, ui, setUi } = context;
  setUi({ tour: false });
  void act.scenario({ do: 'play', ...chosenScenario(context).target, paceMs: paces[ui.pace] });
}

export function stepChosen(context: ConsoleContext): void {
  context.setUi({ tour: false });
  void context.act.scenario({ do: 'step', ...chosenScenario(context).target });
}

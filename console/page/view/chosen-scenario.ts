/** The scenario on which the bar and the keys act: the one chosen in the list, else that of the demo. */
import type { PlayScenario } from '../../api.ts';
import type { ConsoleContext } from './context.ts';

export type ChosenScenario = {
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

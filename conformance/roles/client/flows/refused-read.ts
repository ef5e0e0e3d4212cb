/** Expectations of steps in which the EHR server refuses the record: no client must ask at each opening. */
import type { Expectation } from '../../../engine/check/flow.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { exchangesIn } from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';

/** Why there is nothing to judge where the client does not ask. */
export const UNREFUSED = 'the client did not call get_patient there, so that nothing was refused';

/** Whether get_patient is refused in a step. */
export const isReadRefused = (played: PlayedStep): boolean =>
  exchangesIn([played], `ehr ${EHR_METHODS.read}`).some(({ facts }) => facts.reply?.code !== undefined);

/** Expects it of a step in which get_patient is refused. */
export const whereReadRefused = ({ judge }: Expectation): Expectation => ({
  judge: (label, played) => (played.some(isReadRefused) ? judge(label, played) : undefined),
});

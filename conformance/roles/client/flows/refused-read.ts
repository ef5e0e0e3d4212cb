/** Expectations of steps in which the EHR server refuses the record: no client must ask at each opening. */
import type { Expectation } from '../../../engine/check/flow.ts';
import { isFault } from '../../../engine/check/steps.ts';
import type { PlayedStep } from '../../../engine/journal/view.ts';
import { exchangesIn } from '../check.ts';
import { EHR_METHODS } from '../servers/calls.ts';

/** Says why there is nothing to judge in a step in which get_patient was not refused. */
export const unrefused = (played: PlayedStep): string | undefined =>
  isReadRefused(played)
    ? undefined
    : 'the client did not call get_patient there, so that nothing was refused';

/** Whether get_patient is refused in a step. */
const isReadRefused = (played: PlayedStep): boolean =>
  exchangesIn([played], `ehr ${EHR_METHODS.read}`).some(({ facts }) => facts.reply?.code !== undefined);

/** Expects it of a step in which get_patient is refused. */
export const whereReadRefused = ({ judge }: Expectation): Expectation => ({
  judge: (label, played) => (played.some(isReadRefused) ? judge(label, played) : undefined),
});

/**
 * Expects the same; a fault proves by itself that the client is wrong, whatever could be played afterwards.
 * @param explains checks that such a client fails too
 */
export const proof = ({ judge }: Expectation, explains: readonly string[]): Expectation => ({
  judge(label, played) {
    const found = judge(label, played);
    return isFault(found) ? { ...found, isProof: true, explains } : found;
  },
});

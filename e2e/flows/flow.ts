/** A flow as one object, which any three parties can play. */
import type { RequirementId } from '#protocol/requirements.ts';
import type { Parties } from '../parties/open.ts';
import type { FlowWorld } from './world.ts';

/** Says what a flow needs besides the interface and the parties lack; it is left out then. */
export type Need = (parties: Parties) => string | undefined;

export type Flow = {
  readonly name: string;
  readonly sentence: string;
  readonly requirements: readonly RequirementId[];
  readonly needs?: readonly Need[];
  readonly play: (world: FlowWorld) => Promise<void>;
};

/** Declares a flow. The pages of the requirements are read from these calls. */
export function flow(definition: Flow): Flow {
  return definition;
}

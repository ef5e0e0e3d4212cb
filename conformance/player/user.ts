/** A user of a scenario: a person at one device, with what that device knows. */

import type { Patient } from '#protocol/fields.ts';
import type { StepInput } from '../adapter/adapter.ts';
import { describe } from '../journal/describe-result.ts';
import type { Party, StepResult } from '../journal/entry.ts';
import type { Label } from '../scenarios/scenario.ts';

export type User = {
  readonly name: string;
  readonly phone: string;
  readonly patient: Patient;
  user?: string;
  token?: string;
  /** As the sign-in told it, in the unit of the interface. */
  ttl?: string;
  userSign?: string;
  exchangeToken?: string;
  /** `seq` of the request whose exchange token linked the user. */
  linkRequest?: string;
};

/** What is wrong with a step on purpose, and what is sent in place of the user's own values. */
export type StepOptions = { defect?: string; input?: StepInput };

/** Ends a scenario that cannot go on; what was done so far is judged. */
export class ScenarioStopped extends Error {
  readonly blame: Party;
  constructor(because: string, blame: Party) {
    super(because);
    this.blame = blame;
  }
}

/** Why a scenario ends at a step that ought to succeed. */
export function stoppedAt({ label }: Label, result: StepResult): ScenarioStopped {
  if (result.kind === 'absent')
    return new ScenarioStopped(`the adapter declares that the server has no step for "${label}"`, 'environment');
  return new ScenarioStopped(`the step "${label}" ought to succeed and did not (${describe(result)})`, 'auth server');
}

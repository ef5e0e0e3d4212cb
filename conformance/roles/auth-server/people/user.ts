/** A user: a person at one device, and what that device knows. */

import type { Patient } from '#protocol/wire/fields.ts';
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { Label, StepResult } from '../../../engine/journal/entry.ts';
import type { StepInput } from '../adapter/adapter.ts';

export type User = {
  /** The name that the scenario uses, such as `Bea`. */
  readonly name: string;
  readonly phone: string;
  readonly patient: Patient;
  /** User and token of the session, from the last sign-in. */
  user?: string;
  token?: string;
  /** Lifetime of the session as the sign-in returned it, in minutes. */
  ttl?: string;
  /** The signature with which the EHR server answered when it identified the patient. */
  userSign?: string;
  /** The exchange token that the authorization server gave last. */
  exchangeToken?: string;
  /** Number, in the journal, of the request whose exchange token linked this user to the patient. */
  linkRequest?: string;
};

/** What to send instead, and `defect`: the mistake that the step makes on purpose. */
export type StepOptions = SentInput & { defect?: string };

/** `withoutToken` leaves out all that carries the token; `withoutSession` the user as well. */
export type SentInput = StepInput & { withoutToken?: true; withoutSession?: true };

/** What the journal says of a step from its beginning: its mistake, and the code that is typed in. */
export type Begun = { defect?: string | undefined; code?: string | undefined };

/** Blames the set-up where the server has no such step. */
export function stoppedAt(step: string | Label, result: StepResult): ScenarioStopped {
  const label = typeof step === 'string' ? step : step.label;
  if (result.kind === 'absent')
    return new ScenarioStopped(
      `the adapter declares that the server has no step for "${label}"`,
      'environment',
    );
  return new ScenarioStopped(
    `the step "${label}" ought to succeed and did not (${describe(result)})`,
    'auth server',
  );
}

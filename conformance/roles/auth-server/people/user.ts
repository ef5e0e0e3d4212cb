/** A user of a scenario: a person at one device, and what that device knows. */

import type { Patient } from '#protocol/wire/fields.ts';
import { ScenarioStopped } from '../../../engine/check/scenario-stopped.ts';
import { describe } from '../../../engine/journal/describe-result.ts';
import type { Label, StepResult } from '../../../engine/journal/entry.ts';
import type { StepInput } from '../adapter/adapter.ts';

export type User = {
  readonly name: string;
  readonly phone: string;
  readonly patient: Patient;
  user?: string;
  token?: string;
  /** As the sign-in returned it, in the interface's unit. */
  ttl?: string;
  userSign?: string;
  exchangeToken?: string;
  /** `seq` of the request that yielded the exchange token of the user's link. */
  linkRequest?: string;
};

/** The deliberate mistake of a step, and the values sent instead of the user's own. */
export type StepOptions = SentInput & { defect?: string };

/**
 * `withoutToken` leaves the token out, and with it each member and header that carries it; `withoutSession`
 * the user too.
 */
export type SentInput = StepInput & { withoutToken?: true; withoutSession?: true };

/** Explains why a scenario ends at a step that should succeed. */
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

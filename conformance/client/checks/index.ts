/** All checks of a client. */
import type { Check } from '../../checks/check.ts';
import type { ClientCheck } from '../check.ts';
import { linksEndWhenAsked, sessionEndedAtAuthServer } from './asked-for.ts';
import { atOnceChecks } from './at-once.ts';
import { browserChecks } from './browser.ts';
import { endingChecks } from './endings.ts';
import { errorChecks } from './errors.ts';
import { flowChecks } from './flow.ts';
import { forgettingChecks } from './forgetting.ts';
import { formChecks } from './forms.ts';
import { halfEndingChecks } from './half-endings.ts';
import { keepingChecks } from './keeping.ts';
import { recordChecks } from './record.ts';
import { replyChecks } from './replies.ts';
import { sameCallsChecks } from './same-calls.ts';
import { sessionChecks } from './sessions.ts';
import { signInChecks } from './sign-in.ts';
import { singleTroubleChecks } from './single-troubles.ts';
import { stepChecks } from './step-checks.ts';
import { troubleChecks } from './troubles.ts';
import { wireChecks } from './wire.ts';

/** Checks with a scenario of their own. */
export const clientChecks: readonly ClientCheck[] = [
  ...flowChecks,
  ...signInChecks,
  ...formChecks,
  ...endingChecks,
  ...halfEndingChecks,
  ...keepingChecks,
  ...forgettingChecks,
  ...recordChecks,
  ...sessionChecks,
  ...sameCallsChecks,
  ...replyChecks,
  ...errorChecks,
  ...troubleChecks,
  ...singleTroubleChecks,
  ...atOnceChecks,
  ...browserChecks,
];

/** All checks, with those that judge single messages. */
export const allClientChecks: readonly Check[] = [
  ...clientChecks.map(({ check }) => check),
  linksEndWhenAsked,
  sessionEndedAtAuthServer,
  ...stepChecks,
  ...wireChecks,
];

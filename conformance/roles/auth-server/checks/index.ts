/** All checks, in the order in which reports list them. */
import type { Check } from '../../../engine/check/check.ts';
import { scenarios } from '../flows/index.ts';
import { codeRules } from './code-values.ts';
import { exchangeTokenRules } from './exchange-tokens.ts';
import { disconnectedChecks } from './section-1/disconnected.ts';
import { exchangeChecks } from './section-1/exchange.ts';
import { keptChecks } from './section-1/kept.ts';
import { keptAfterChecks } from './section-1/kept-after.ts';
import { linkedAnewChecks } from './section-1/linked-anew.ts';
import { signInChecks } from './section-1/sign-in.ts';
import { signKeptChecks } from './section-1/sign-kept.ts';
import { triesChecks } from './section-1/tries.ts';
import { wrongSessionChecks } from './section-1/wrong-session.ts';
import { deviceChecks } from './section-2/devices.ts';
import { lastMinuteChecks } from './section-2/last-minute.ts';
import { strangerChecks } from './section-2/strangers.ts';
import { timeChecks } from './section-2/time.ts';
import { tokenChecks } from './section-2/tokens.ts';
import { sessionsAtOnceChecks } from './section-4/at-once.ts';
import { callChecks } from './section-4/calls.ts';
import { cookieOriginChecks } from './section-4/cookie-origin.ts';
import { deletionAtSignInChecks } from './section-4/deletion-at-sign-in.ts';
import { endingChecks } from './section-4/endings.ts';
import { malformedChecks } from './section-4/malformed.ts';
import { othersGoOnChecks } from './section-4/others-go-on.ts';
import { othersSessionsChecks } from './section-4/others-sessions.ts';
import { endedOverRestartChecks } from './section-4/over-restart.ts';
import { removalChecks } from './section-4/removal.ts';
import { whoseSessionChecks } from './section-4/whose-session.ts';
import { certificateChecks } from './section-5/certificates.ts';
import { secretChecks } from './section-5/secrets.ts';
import { toClientChecks } from './section-5/to-client.ts';
import { repeatChecks } from './section-7/repeats.ts';
import { replyChecks } from './section-7/replies.ts';
import { toldApartChecks } from './section-7/told-apart.ts';
import { troubleChecks } from './section-7/trouble.ts';
import { survivalChecks } from './server-survives.ts';

export const checks: readonly Check[] = [
  ...scenarios.flatMap((flow) => flow.checks),
  ...signInChecks,
  ...exchangeTokenRules,
  ...exchangeChecks,
  ...wrongSessionChecks,
  ...tokenChecks,
  ...callChecks,
  ...secretChecks,
  ...endingChecks,
  ...troubleChecks,
  ...replyChecks,
  ...sessionsAtOnceChecks,
  ...deviceChecks,
  ...codeRules,
  ...keptChecks,
  ...disconnectedChecks,
  ...repeatChecks,
  ...whoseSessionChecks,
  ...toClientChecks,
  ...timeChecks,
  ...survivalChecks,
  ...certificateChecks,
  ...cookieOriginChecks,
  ...malformedChecks,
  ...othersSessionsChecks,
  ...othersGoOnChecks,
  ...endedOverRestartChecks,
  ...signKeptChecks,
  ...deletionAtSignInChecks,
  ...removalChecks,
  ...lastMinuteChecks,
  ...linkedAnewChecks,
  ...triesChecks,
  ...keptAfterChecks,
  ...strangerChecks,
  ...toldApartChecks,
];

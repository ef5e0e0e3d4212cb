/** All checks, in the order in which reports list them. */
import type { Check } from '../../../engine/check/check.ts';
import { scenarios } from '../flows/index.ts';
import { crowdUnharmed, newestOutlives } from '../flows/links/beside-others.ts';
import { endedOverRestart } from '../flows/links/ended-over-restart.ts';
import { keptOverRestart } from '../flows/links/kept.ts';
import { crowd, firstLink, manyTokens } from '../flows/links/linking.ts';
import { cookieOrigin } from '../flows/requests/cookie-origin.ts';
import { oddRequests } from '../flows/requests/odd-requests.ts';
import { rules } from '../rules/index.ts';
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

export const checks: readonly Check[] = [
  ...scenarios.flatMap((flow) => flow.checks),
  ...rules,
  ...endedOverRestart.map((each) => each.of(keptOverRestart)),
  newestOutlives.of(manyTokens),
  crowdUnharmed(firstLink).of(crowd),
  cookieOrigin.of(oddRequests),
  ...signInChecks,
  ...exchangeTokenRules,
  ...exchangeChecks,
  ...wrongSessionChecks,
  ...codeRules,
  ...keptChecks,
  ...disconnectedChecks,
  ...signKeptChecks,
  ...linkedAnewChecks,
  ...triesChecks,
  ...keptAfterChecks,
];

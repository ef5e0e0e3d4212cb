/** All checks of an authorization server, in the order of reports: flows, then rules. */
import type { Check } from '../../engine/check/check.ts';
import { outputCheck } from '../../engine/check/output-check.ts';
import { scenarios } from './flows/index.ts';
import { firstLink } from './flows/links/first-link.ts';
import { returningUser } from './flows/links/returning-user.ts';
import { callRules } from './rules/calls.ts';
import { codeRules, codeWithZeroConfirms } from './rules/codes.ts';
import { exchangeTokenRules, tokenNotSavedForTwo } from './rules/exchange-tokens.ts';
import { secretRules, toldToClientRules } from './rules/secrets.ts';
import { serverSurvives } from './rules/server-survives.ts';
import { savedSessionIsGivenOne, sessionRules } from './rules/sessions.ts';

export const checks: readonly Check[] = [
  ...scenarios.flatMap((flow) => flow.checks),
  ...sessionRules,
  tokenNotSavedForTwo,
  ...callRules,
  ...secretRules,
  savedSessionIsGivenOne,
  ...toldToClientRules,
  serverSurvives,
  outputCheck({
    requirements: ['K-output-no-secrets'],
    scenarios: [firstLink, returningUser],
    party: 'auth server',
  }),
  ...exchangeTokenRules,
  ...codeRules,
  codeWithZeroConfirms,
];

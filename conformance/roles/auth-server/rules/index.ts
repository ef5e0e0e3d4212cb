import type { Check } from '../../../engine/check/check.ts';
import { outputCheck } from '../../../engine/check/output-check.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';
import { callRules } from './calls.ts';
import { codeRules } from './codes/code-values.ts';
import { zeroCodeRules } from './codes/zero-codes.ts';
import { exchangeTokenRules, repeatedValueRules } from './exchange-tokens.ts';
import { secretRules } from './secrets.ts';
import { survivalRules } from './server-survives.ts';
import { savedSessionRules, sessionRules } from './sessions.ts';
import { toldToClientRules } from './told-to-clients.ts';

export const rules: readonly Check[] = [
  ...sessionRules,
  ...repeatedValueRules,
  ...callRules,
  ...secretRules,
  ...savedSessionRules,
  ...toldToClientRules,
  ...survivalRules,
  outputCheck({
    requirements: ['K-output-no-secrets'],
    scenarios: [firstLink, returningUser],
    party: 'auth server',
  }),
  ...exchangeTokenRules,
  ...codeRules,
  ...zeroCodeRules,
];

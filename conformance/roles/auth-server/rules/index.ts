/**
 * All rules for an authorization server, in the order in which reports list them. A rule is a check of all
 * messages or sessions of a run, whichever scenario they come from.
 */
import type { Check } from '../../../engine/check/check.ts';
import { callRules } from './calls.ts';
import { codeRules } from './codes/code-values.ts';
import { zeroCodeRules } from './codes/zero-codes.ts';
import { exchangeTokenRules } from './exchange-tokens.ts';
import { outputRules } from './output.ts';
import { repeatedValueRules } from './repeated-values.ts';
import { savedSessionRules } from './saved-sessions.ts';
import { secretRules } from './secrets.ts';
import { survivalRules } from './server-survives.ts';
import { sessionRules } from './sessions.ts';
import { toldToClientRules } from './told-to-clients.ts';

export const rules: readonly Check[] = [
  ...sessionRules,
  ...repeatedValueRules,
  ...callRules,
  ...secretRules,
  ...savedSessionRules,
  ...toldToClientRules,
  ...survivalRules,
  ...outputRules,
  ...exchangeTokenRules,
  ...codeRules,
  ...zeroCodeRules,
];

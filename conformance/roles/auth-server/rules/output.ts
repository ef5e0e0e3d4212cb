/** The rule that an authorization server writes no secrets and no patient data to its output. */
import type { Check } from '../../../engine/check/check.ts';
import { outputCheck } from '../../../engine/check/output-check.ts';
import { firstLink } from '../flows/links/first-link.ts';
import { returningUser } from '../flows/links/returning-user.ts';

export const outputRules: readonly Check[] = [
  outputCheck({
    requirements: ['K-output-no-secrets'],
    scenarios: [firstLink.id, returningUser.id],
    blame: 'auth server',
  }),
];

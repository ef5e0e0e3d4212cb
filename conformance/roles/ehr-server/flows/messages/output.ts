/** The check that an EHR server writes no secrets and no patient data to its output. */
import { outputCheck } from '../../../../engine/check/output-check.ts';

/** Judged with the notes of all scenarios of a run; these are enough to see what a server writes. */
export const noSecretsInOutput = outputCheck({
  requirements: ['K-output-no-secrets'],
  scenarios: ['exchange-token-used-once', 'failed-match-keeps-exchange-token', 'save-digest-verified'],
  blame: 'EHR server',
});

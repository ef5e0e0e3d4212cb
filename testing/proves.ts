/**
 * Connects a test with the requirements that it proves. The pages of the requirements are read from
 * these calls.
 */
import { test } from 'vitest';
import type { ClaimId } from '#e2e/threats/claims.ts';
import type { RequirementId } from '#protocol/requirements.ts';

/**
 * A vitest `test` that names the requirements that it proves, and the claims of the threat model that it
 * shows. The ids must be literals, so that the documents can be generated without running anything.
 * @example proves(['4.1-token-unique'], 'a second save of a stored token is refused', async () => { … });
 */
export function proves(
  _ids: readonly (RequirementId | ClaimId)[],
  title: string,
  body: () => void | Promise<void>,
  timeout?: number,
): void {
  test(title, body, timeout);
}

/** Connects a test with the requirements that it proves. The documents are read from these calls. */
import { test } from 'vitest';
import type { ClaimId } from '#e2e/threats/claims.ts';
import type { RequirementId } from '#protocol/requirements.ts';

/** A `test` that names the requirements that it proves and the claims that it shows, as literals. */
export function proves(
  _ids: readonly (RequirementId | ClaimId)[],
  title: string,
  body: () => void | Promise<void>,
  timeout?: number,
): void {
  test(title, body, timeout);
}

/** Connects a test with what it proves. The documents are read from these calls. */
import { test } from 'vitest';
import type { RequirementId } from '#protocol/requirements.ts';

/** An attacker of the threat model in `SECURITY.md`, and the number of a claim about what they can do. */
export type ClaimId = `T-${'file' | 'password' | 'auth' | 'client' | 'page' | 'network'}-${number}`;

/** A `test` that names the requirements that it proves and the claims that it shows, as literals. */
export function proves(
  _ids: readonly (RequirementId | ClaimId)[],
  title: string,
  body: () => void | Promise<void>,
  timeout?: number,
): void {
  test(title, body, timeout);
}

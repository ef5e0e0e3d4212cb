/**
 * Connects a test with the claims of the threat model: every claim in `SECURITY.md` has a test, and every
 * claim that a test names exists.
 */
import { test } from 'vitest';

/**
 * An attacker of the threat model, and the number of a claim about what they can or cannot do, as in
 * `SECURITY.md`.
 */
export type ClaimId = `T-${'file' | 'password' | 'auth' | 'client' | 'page' | 'network'}-${number}`;

/**
 * A vitest `test` that names the claims that it shows. A test that also proves a requirement names its claims
 * in `proves`, beside the requirement.
 * @example claims(['T-file-1'], 'the file holds no token', async () => { … });
 */
export function claims(
  _ids: readonly ClaimId[],
  title: string,
  body: () => void | Promise<void>,
  timeout?: number,
): void {
  test(title, body, timeout);
}

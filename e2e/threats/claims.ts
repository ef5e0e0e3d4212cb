/** Ties a test to the claims of the threat model: `SECURITY.md` names no claim without a test, and no test names a claim that is not there. */
import { test } from 'vitest';

/** An attacker of the threat model and the number of what he can or cannot do, as it stands in `SECURITY.md`. */
export type ClaimId = `T-${'file' | 'password' | 'auth' | 'client' | 'page' | 'network'}-${number}`;

/**
 * A vitest `test` that names the claims it shows. A test that proves a requirement too names them in `proves`, beside
 * the requirement.
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

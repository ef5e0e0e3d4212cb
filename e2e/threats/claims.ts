/** Connects a test with the claims of the threat model in `SECURITY.md`. */
import { test } from 'vitest';

/** An attacker of the threat model, and the number of a claim about what they can or cannot do. */
export type ClaimId = `T-${'file' | 'password' | 'auth' | 'client' | 'page' | 'network'}-${number}`;

/** A `test` that names the claims that it shows. One that proves a requirement names them in `proves`. */
export function claims(
  _ids: readonly ClaimId[],
  title: string,
  body: () => void | Promise<void>,
  timeout?: number,
): void {
  test(title, body, timeout);
}

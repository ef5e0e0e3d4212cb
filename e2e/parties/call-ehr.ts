/** Calls an EHR server beside a flow: neither recorded nor disturbed. */
import { callText } from '#protocol/wire/envelope.ts';

export async function callEhr(
  url: string,
  method: string,
  params: object,
  cred: { user: string; token: string },
): Promise<boolean> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: callText({ id: 1, method, params, cred }),
    });
    return 'result' in ((await response.json()) as object);
  } catch {
    // A server that is down or answers nonsense has done nothing.
    return false;
  }
}

/** What must not be found in a stolen copy: the tokens, digests and codes of the messages, in any form. */
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import type { RecordingProxy } from '#testing/recording/recording-proxy.ts';

/** Members that grant access. The signature is none of them: it is stored in clear, as documented. */
const SECRET = /"(?:token|exchangeToken|exchange_token|code)"\s*:\s*"([^"]+)"/g;

export function secretsOn(proxies: readonly RecordingProxy[]): string[] {
  const wire = Buffer.concat(proxies.flatMap((proxy) => [proxy.received(), proxy.answered()])).toString(
    'utf8',
  );
  return [...new Set([...wire.matchAll(SECRET)].map(([, value = '']) => value))];
}

/** Returns those that the bytes contain, as text in any form or as the bytes that they encode. */
export function findSecrets(bytes: Buffer, secrets: readonly string[]): string[] {
  const spelled = secrets.filter((secret) =>
    (['base64url', 'hex'] as const).some((alphabet) => {
      const raw = Buffer.from(secret, alphabet);
      return raw.length >= 16 && bytes.includes(raw);
    }),
  );
  return [...new Set([...findCanaries(bytes, secrets).map(({ value }) => value), ...spelled])];
}

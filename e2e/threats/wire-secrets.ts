/**
 * The values that must not be found in a stolen copy: every token, exchange token, digest and code of the
 * recorded messages, in any form.
 */
import { findCanaries } from '#conformance/engine/journal/secrets/canaries.ts';
import type { RecordingProxy } from '#testing/recording/recording-proxy.ts';

/**
 * Members of messages that grant access. The signature is not among them: it is stored in clear, as the
 * documents say.
 */
const SECRET = /"(?:token|exchangeToken|exchange_token|code)"\s*:\s*"([^"]+)"/g;

/** Returns every value that these proxies recorded under the name of a secret. */
export function secretsOn(proxies: readonly RecordingProxy[]): string[] {
  const wire = Buffer.concat(proxies.flatMap((proxy) => [proxy.received(), proxy.answered()])).toString(
    'utf8',
  );
  return [...new Set([...wire.matchAll(SECRET)].map(([, value = '']) => value))];
}

/**
 * Returns those of the values that the bytes contain: as text in any form, or as the bytes that they encode.
 */
export function findSecrets(bytes: Buffer, secrets: readonly string[]): string[] {
  const spelled = secrets.filter((secret) =>
    (['base64url', 'hex'] as const).some((alphabet) => {
      const raw = Buffer.from(secret, alphabet);
      return raw.length >= 16 && bytes.includes(raw);
    }),
  );
  return [...new Set([...findCanaries(bytes, secrets).map(({ value }) => value), ...spelled])];
}

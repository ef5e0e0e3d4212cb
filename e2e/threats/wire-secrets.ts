/** What must not be found in a stolen copy: every token, exchange token, digest and code that crossed the wire, in any form. */
import { findCanaries } from '#conformance/journal/canaries.ts';
import type { Recorder } from '#e2e/recorder.ts';

/** Members of messages that open something. The signature is not one of them: it is stored in clear, and said to be. */
const SECRET = /"(?:token|exchangeToken|exchange_token|code)"\s*:\s*"([^"]+)"/g;

/** Every value that went over these taps under the name of a secret. */
export function secretsOn(taps: readonly Recorder[]): string[] {
  const wire = Buffer.concat(taps.flatMap((tap) => [tap.received(), tap.answered()])).toString('utf8');
  return [...new Set([...wire.matchAll(SECRET)].map(([, value = '']) => value))];
}

/** Which of the values stand in the bytes: as text in any form, or as the bytes that they spell. */
export function findSecrets(bytes: Buffer, secrets: readonly string[]): string[] {
  const spelled = secrets.filter((secret) =>
    (['base64url', 'hex'] as const).some((alphabet) => {
      const raw = Buffer.from(secret, alphabet);
      return raw.length >= 16 && bytes.includes(raw);
    }),
  );
  return [...new Set([...findCanaries(bytes, secrets).map(({ value }) => value), ...spelled])];
}

/** Hides secrets in the texts that the kit shows, in every form in which programs write them. */

/**
 * Returns a function that replaces each secret in a text by three dots. It finds the secret plain, quoted in
 * JSON, URL-encoded, in base64 and in hexadecimal. Empty secrets are ignored.
 */
export function secretHider(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf));
  // The longest first: the shorter of two secrets may be the beginning of the longer one.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((hidden, form) => hidden.replaceAll(form, '•••'), text);
}

/** The texts in which a secret may occur. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
  // encodeURIComponent throws for half a surrogate pair, so such a character is replaced first.
  const encoded = encodeURIComponent(secret.toWellFormed());
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encoded,
    encoded.replaceAll('%20', '+'),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ];
}

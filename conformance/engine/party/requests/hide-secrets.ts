/** Keeps secrets out of shown text, in clear and in the forms in which programs write them. */

/** Returns a function that hides every secret: plain, quoted in JSON, URL-encoded or in base64. */
export function secretHider(secrets: readonly string[]): (text: string) => string {
  const forms = new Set(secrets.filter((secret) => secret !== '').flatMap(formsOf));
  // The longest first: one secret may be the beginning of another.
  const sorted = [...forms].sort((a, b) => b.length - a.length);
  return (text) => sorted.reduce((hidden, form) => hidden.replaceAll(form, '•••'), text);
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret, 'utf8');
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

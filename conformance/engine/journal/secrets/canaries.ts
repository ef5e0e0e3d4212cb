/** Searches for patient data where it must not be, in every form in which it could be hidden. */

export type Finding = { value: string; form: string };

/**
 * Lists the occurrences of the values in `bytes`: plain (any case), reversed, as JSON escapes, URL-encoded,
 * base64 (either alphabet, at any offset inside a longer text) or hexadecimal. Base64 is searched only for
 * values of at least four bytes.
 */
export function findCanaries(bytes: Buffer, values: readonly string[], forms = formsOf): Finding[] {
  const exact = readings(bytes.toString('utf8')).join('\n');
  const texts = { exact, lower: exact.toLowerCase() };
  return values.flatMap((value) =>
    forms(value)
      .filter(({ needle, anyCase }) =>
        anyCase ? texts.lower.includes(needle.toLowerCase()) : texts.exact.includes(needle),
      )
      .map(({ form }) => ({ value, form })),
  );
}

/** A text as it stands, without the signs between digits, and with escapes that were escaped again. */
function readings(text: string): string[] {
  const squeezed = text.replace(/(?<=\d)[ ().-]+(?=\d)/g, '');
  return [...new Set([text, squeezed, text.replace(/\\{2,}/g, '\\')])];
}

export type Form = { readonly form: string; readonly needle: string; readonly anyCase: boolean };

/** As {@link formsOf}, computed once per value. */
export function rememberedForms(): typeof formsOf {
  const known = new Map<string, readonly Form[]>();
  return (value) => {
    const forms = known.get(value) ?? formsOf(value);
    known.set(value, forms);
    return forms;
  };
}

/** The forms in which a value is searched. */
export function formsOf(value: string): readonly Form[] {
  const utf8 = Buffer.from(value, 'utf8');
  const urlEncoded = encodeURIComponent(value);
  const forms: Form[] = [
    { form: 'plain', needle: value, anyCase: true },
    { form: 'reversed', needle: Array.from(value).reverse().join(''), anyCase: true },
    { form: 'JSON escapes', needle: value.replace(/[\s\S]/g, escaped), anyCase: true },
    { form: 'JSON escapes of what is not ASCII', needle: escapeNonAscii(value), anyCase: true },
    { form: 'URL-encoded', needle: urlEncoded, anyCase: true },
    { form: 'form-encoded', needle: urlEncoded.replaceAll('%20', '+'), anyCase: true },
    { form: 'URL-encoded twice', needle: encodeURIComponent(urlEncoded), anyCase: true },
    { form: 'hexadecimal', needle: utf8.toString('hex'), anyCase: true },
    ...base64Forms(utf8),
  ];
  // A value with nothing to escape looks the same in several forms; the plainest one names it.
  return forms.filter(({ needle }, index) => forms.findIndex((other) => other.needle === needle) === index);
}

/** For each of the three offsets, the characters that depend on the value alone. */
function base64Forms(value: Buffer): Form[] {
  return [0, 1, 2].flatMap((offset) => {
    const encoded = Buffer.concat([Buffer.alloc(offset), value])
      .toString('base64')
      .replace(/=+$/, '');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + value.length) * 8) / 6);
    const needle = encoded.slice(first, last);
    const form = `base64 at offset ${offset}`;
    return [
      { form, needle, anyCase: false },
      {
        form: `${form}, URL alphabet`,
        needle: needle.replaceAll('+', '-').replaceAll('/', '_'),
        anyCase: false,
      },
    ];
  });
}

const escaped = (char: string) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Writes each character beyond ASCII as an escape of JSON. */
export const escapeNonAscii = (value: string) => value.replace(/[^\x20-\x7e]/g, escaped);

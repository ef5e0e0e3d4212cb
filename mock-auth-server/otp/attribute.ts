/** The phone or e-mail address that a user proves to own (§1 rule 8), in its canonical form. */
import { email, phone } from '#protocol/wire/fields.ts';
import { phoneKey } from '#protocol/wire/matching.ts';

/** `value` is canonical: the digits of the phone, or the address in lower case. */
export type Attribute = { kind: 'phone' | 'email'; value: string };

export function attributeOf(params: { phone?: string | undefined; email?: string | undefined }): Attribute {
  const attribute = readAttribute(params.phone ?? params.email ?? '');
  if (!attribute) throw new TypeError('The parameters carry neither a phone nor an e-mail address.');
  return attribute;
}

/** Reads a phone in any usual notation, or an e-mail address; undefined for any other text. */
export function readAttribute(text: string): Attribute | undefined {
  const digits = phone.safeParse(text).success ? phoneKey(text) : undefined;
  if (digits !== undefined) return { kind: 'phone', value: digits };
  return email.safeParse(text).success ? { kind: 'email', value: text.toLowerCase() } : undefined;
}

import { expect, test } from 'vitest';
import { Knowledge } from './knowledge.ts';

const knowing = (password: string) => new Knowledge('auth', password, new Map());

test('the internal password is hidden in any escapes, cut at either end too', () => {
  const password = 'intérnal "p@ss"/wörd 4711';
  const { pseudonyms } = knowing(password);
  const hexOf = (byte: number) => byte.toString(16).padStart(2, '0');
  const forms: ((text: string) => string)[] = [
    (text) => text,
    (text) => text.toUpperCase(),
    (text) => JSON.stringify(text).slice(1, -1),
    (text) => JSON.stringify(JSON.stringify(text)).slice(3, -3),
    (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/').replaceAll('é', '\\u00E9'),
    (text) => encodeURIComponent(text),
    (text) => encodeURIComponent(encodeURIComponent(text)),
    (text) => encodeURIComponent(text).replaceAll('%20', '+').toLowerCase(),
    (text) => [...Buffer.from(text)].map((byte) => `%${hexOf(byte)}`).join(''),
    (text) => [...Buffer.from(text, 'latin1')].map((byte) => `%${hexOf(byte).toUpperCase()}`).join(''),
    (text) => text.replaceAll('"', '&quot;').replaceAll('é', '&eacute;').replaceAll('ö', '&#246;'),
    (text) => text.replaceAll('"', '&amp;quot;').replaceAll('/', '&#x2F;'),
    (text) => Array.from(text, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    (text) => Array.from(text, (char) => `\\x${hexOf(char.charCodeAt(0))}`).join(''),
  ];
  for (const form of forms)
    for (const [from, to] of ['00', '01', '03', '10', '30', '23'].map((cut) => Array.from(cut, Number))) {
      const text = `<${form(password.slice(from, password.length - (to ?? 0)))}>`;
      expect(pseudonyms.mask(text), text).toBe('<‹password 1›>');
    }
  const inside = Buffer.from(`xy${password.slice(2, -2)}z`);
  for (const encoding of ['base64', 'base64url', 'hex'] as const)
    expect(pseudonyms.mask(`<${inside.toString(encoding)}>`)).toBe('<‹password 1›>');
});

test('a part of a short password, and words that begin alike, stay', () => {
  const { pseudonyms } = knowing('passwort');
  expect(pseudonyms.mask('pass passwor asswort is passwort')).toBe('pass passwor asswort is ‹password 1›');
});

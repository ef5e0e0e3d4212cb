import fc from 'fast-check';
import { expect, test } from 'vitest';
import { base64Of, base64urlOf, binaryOf, bytesInBase64, bytesInHex } from './bytes.ts';

const plain = (bytes: Uint8Array) => [...bytes];

test('bytes are written as Node writes them, and read back', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const node = Buffer.from(bytes);
      const written = [base64Of(bytes), base64urlOf(bytes), binaryOf(bytes)];
      const forms = ['base64', 'base64url', 'latin1'] as const;
      expect(written).toEqual(forms.map((form) => node.toString(form)));
      expect(plain(bytesInHex(node.toString('hex')))).toEqual(plain(bytes));
    }),
  );
});

test('hexadecimal digits are read up to the first pair that is none', () => {
  for (const text of ['', '0', '00ff7', 'Ab0x12', 'xyz'])
    expect([...bytesInHex(text)]).toEqual([...Buffer.from(text, 'hex')]);
});

test('words of either base64 alphabet are read as Node reads them', () => {
  for (const alphabet of [/^[A-Za-z0-9+/]{0,40}={0,2}$/, /^[A-Za-z0-9_-]{0,40}$/])
    fc.assert(
      fc.property(fc.stringMatching(alphabet), (word) => {
        expect(plain(bytesInBase64(word))).toEqual([...Buffer.from(word, 'base64')]);
      }),
    );
});

/**
 * Finds hashes of a one-time code, and of patient data, in a text. A hash reveals both: an attacker can quickly
 * hash all possible codes, names and dates of birth.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of, base64urlOf } from '#protocol/wire/bytes.ts';
import { type Algorithm, hashBytes } from '#protocol/wire/hashes.ts';

const CODE_ALGORITHMS = ['md5', 'sha1', 'sha256'] as const;

/** How much of a hash is compared. Sixteen characters do not agree by chance, and a server may cut a hash. */
const PREFIX_CHARS = 16;

type Prefixes = { algorithm: (typeof CODE_ALGORITHMS)[number]; hex: string; base64: string };

/** The hashes of the code alone, and of code and phone together. */
export function codeHashes(code: string, phone: string): readonly Prefixes[] {
  const texts = [code, `${phone}${code}`, `${code}${phone}`, `${phone}:${code}`, `${code}:${phone}`];
  return CODE_ALGORITHMS.flatMap((algorithm) =>
    texts.map((text) => {
      const hash = hashBytes(algorithm, text);
      return {
        algorithm,
        hex: bytesToHex(hash).slice(0, PREFIX_CHARS),
        base64: base64Of(hash).slice(0, PREFIX_CHARS),
      };
    }),
  );
}

/** The algorithm of the first hash in the text, in hex or base64 of either alphabet; undefined: none. */
export function hashIn(text: string, hashes: readonly Prefixes[]): string | undefined {
  if (text.length < PREFIX_CHARS) return undefined;
  const [lower, standard] = [text.toLowerCase(), text.replaceAll('-', '+').replaceAll('_', '/')];
  return hashes.find(({ hex, base64 }) => lower.includes(hex) || standard.includes(base64))?.algorithm;
}

/** Each algorithm with the lengths (in characters) of its hashes in hexadecimal and in base64url. */
const ALGORITHMS = [
  ['md5', 32, 22],
  ['sha1', 40, 27],
  ['sha256', 64, 43],
  ['sha384', 96, 64],
  ['sha512', 128, 86],
] as const;
const HEX_WORD = /[0-9a-f]{32,128}/gi;
const BASE64_WORD = /[A-Za-z0-9+/_-]{22,86}/g;

/**
 * Says what a hash was made of, such as "surname hashed with md5"; undefined: it is not known. The hash is
 * written in hexadecimal of small letters, or in base64url.
 */
export type PatientHashes = (word: string) => string | undefined;

/**
 * Returns a function that recognizes hashes of these values, as they are, in small and in capital letters. An
 * algorithm is computed only when the first word has the length of its hashes.
 * @param values key: a value of patient data; value: its name, such as "surname"
 */
export function patientHashes(values: ReadonlyMap<string, string>): PatientHashes {
  const known = new Map<string, string>();
  const waiting = new Set(values.size === 0 ? [] : ALGORITHMS);
  return (word) => {
    for (const each of waiting) {
      const [algorithm, ...lengths] = each;
      if (!lengths.some((length) => length === word.length)) continue;
      waiting.delete(each);
      for (const [hash, name] of hashesOf(values, algorithm))
        known.set(hash, `${name} hashed with ${algorithm}`);
    }
    return known.get(word);
  };
}

function hashesOf(values: ReadonlyMap<string, string>, algorithm: Algorithm): [hash: string, name: string][] {
  return [...values].flatMap(([value, name]) =>
    [...new Set([value, value.toLowerCase(), value.toUpperCase()])].flatMap((text): [string, string][] => {
      const hash = hashBytes(algorithm, text);
      return [
        [bytesToHex(hash), name],
        [base64urlOf(hash), name],
      ];
    }),
  );
}

export function findHashes(text: string, hashes: PatientHashes): string[] {
  const hex = [...text.matchAll(HEX_WORD)].map(([word]) => word.toLowerCase());
  const base64 = [...text.matchAll(BASE64_WORD)].map(([word]) =>
    word.replaceAll('+', '-').replaceAll('/', '_'),
  );
  return [...new Set([...hex, ...base64].flatMap((word) => hashes(word) ?? []))];
}

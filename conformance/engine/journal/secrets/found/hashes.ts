/**
 * Finds hashes of a one-time code, and of patient data, in a text. A hash reveals both: an attacker can quickly
 * hash all possible codes, names and dates of birth.
 */
import { bytesToHex } from '@noble/hashes/utils.js';
import { base64Of, base64urlOf } from '#protocol/wire/bytes.ts';
import { type Algorithm, hashBytes } from '#protocol/wire/hashes.ts';

/** The first characters of a hash of a code. */
export type CodeHash = { algorithm: Algorithm; hex: string; base64: string };

/** Says of what a word in small hexadecimal or base64url is a hash, such as "surname hashed with md5". */
export type RecognizeHash = (word: string) => string | undefined;

const CODE_ALGORITHMS = ['md5', 'sha1', 'sha256'] as const;

/** How much of a hash is compared. Sixteen characters do not agree by chance, and a server may cut a hash. */
const PREFIX_CHARS = 16;

/** The hashes of the code alone, and of code and phone together. */
export function codeHashes(code: string, phone: string): readonly CodeHash[] {
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

/** Returns the algorithm of a hash of the code that the text has; undefined: it has none. */
export function algorithmOfHashIn(text: string, hashes: readonly CodeHash[]): string | undefined {
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

/** Recognizes hashes of these values. Those of an algorithm are made when a word first has their length. */
export function recognizerOfPatientHashes(names: ReadonlyMap<string, string>): RecognizeHash {
  const known = new Map<string, string>();
  const waiting = new Set(names.size === 0 ? [] : ALGORITHMS);
  return (word) => {
    for (const each of waiting) {
      const [algorithm, ...lengths] = each;
      if (!lengths.some((length) => length === word.length)) continue;
      waiting.delete(each);
      for (const [hash, name] of patientHashes(names, algorithm))
        known.set(hash, `${name} hashed with ${algorithm}`);
    }
    return known.get(word);
  };
}

export function findPatientHashes(text: string, recognize: RecognizeHash): string[] {
  const hex = [...text.matchAll(HEX_WORD)].map(([word]) => word.toLowerCase());
  const base64 = [...text.matchAll(BASE64_WORD)].map(([word]) =>
    word.replaceAll('+', '-').replaceAll('/', '_'),
  );
  return [...new Set([...hex, ...base64].flatMap((word) => recognize(word) ?? []))];
}

function patientHashes(
  names: ReadonlyMap<string, string>,
  algorithm: Algorithm,
): [hash: string, name: string][] {
  return [...names].flatMap(([value, name]) =>
    [...new Set([value, value.toLowerCase(), value.toUpperCase()])].flatMap((text): [string, string][] => {
      const hash = hashBytes(algorithm, text);
      return [
        [bytesToHex(hash), name],
        [base64urlOf(hash), name],
      ];
    }),
  );
}

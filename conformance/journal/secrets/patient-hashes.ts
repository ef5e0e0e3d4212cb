/** Hashes of patient data. They reveal it, because all names and dates are hashed in no time. */
import { createHash } from 'node:crypto';

const ALGORITHMS = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
const HEX_WORD = /[0-9a-f]{32,128}/gi;
const BASE64_WORD = /[A-Za-z0-9+/_-]{22,86}/g;

/** Hash, in lower-case hexadecimal or in base64url, to what it is, such as "surname hashed with md5". */
export type PatientHashes = ReadonlyMap<string, string>;

/**
 * Hashes each value as it is, in small and in capital letters.
 * @param values value to name
 */
export function patientHashes(values: ReadonlyMap<string, string>): PatientHashes {
  return new Map(
    [...values].flatMap(([value, name]) =>
      [...new Set([value, value.toLowerCase(), value.toUpperCase()])].flatMap((text) =>
        ALGORITHMS.flatMap((algorithm) => {
          const hash = createHash(algorithm).update(text).digest();
          const what = `${name} hashed with ${algorithm}`;
          return [[hash.toString('hex'), what] as const, [hash.toString('base64url'), what] as const];
        }),
      ),
    ),
  );
}

/** Lists the hashes of patient data in a text: in hexadecimal or in base64 of either alphabet. */
export function findHashes(text: string, hashes: PatientHashes): string[] {
  if (hashes.size === 0) return [];
  const hex = [...text.matchAll(HEX_WORD)].map(([word]) => word.toLowerCase());
  const base64 = [...text.matchAll(BASE64_WORD)].map(([word]) => word.replaceAll('+', '-').replaceAll('/', '_'));
  return [...new Set([...hex, ...base64].flatMap((word) => hashes.get(word) ?? []))];
}

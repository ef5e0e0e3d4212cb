/** Reads `--worlds`: how many worlds, or their names. */
import { z } from 'zod';

/** Fifty worlds take some 400 MB, and two seconds of computing time to start. */
const MAX_WORLDS = 100;
const NAME = /^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$/;
const WANTED = `must be a number from 1 to ${MAX_WORLDS}, or different names such as anna,ci-7 of small letters, digits and hyphens`;

/** @example worldNames.parse('3') // ['1', '2', '3'] */
export const worldNames = z
  .string()
  .transform((text) => namesIn(text))
  .refine(areNames, WANTED);

function namesIn(text: string): readonly string[] {
  if (!/^\d{1,3}$/.test(text)) return text.split(',');
  return Array.from({ length: Number(text) }, (_, index) => String(index + 1));
}

function areNames(names: readonly string[]): boolean {
  const isFewEnough = names.length >= 1 && names.length <= MAX_WORLDS;
  return isFewEnough && new Set(names).size === names.length && names.every((name) => NAME.test(name));
}

/**
 * The words that a population draws from: the arrays of a faker locale, with faker's own fallbacks for
 * missing ones.
 */
import { allLocales, type LocaleDefinition } from '@faker-js/faker';
import { type Pattern, readPattern } from './draw.ts';

/** The arrays of one locale. Of a pair, index 0 is for men and 1 for women. */
export type LocaleWords = {
  readonly code: string;
  readonly firstNames: readonly [readonly string[], readonly string[]];
  readonly lastNames: readonly [readonly string[], readonly string[]];
  /** Empty where the locale has no middle names. */
  readonly middleNames: readonly [readonly string[], readonly string[]];
  readonly cities: readonly string[];
  readonly streets: readonly string[];
  /** International numbers, without the plus. */
  readonly phones: readonly Pattern[];
};

/** For locales without an international pattern: country code 999 is not assigned. */
const NO_COUNTRY = ['999#########'];

const definitions: Readonly<Record<string, LocaleDefinition>> = allLocales;

/** The codes of the locales that have person names, in alphabetical order. */
export const localeCodes: readonly string[] = Object.keys(definitions)
  .filter((code) => hasNames(definitions[code]))
  .sort();

/**
 * Returns the words of a locale.
 * @throws {RangeError} when faker has no such locale with person names; the message lists those that it has
 */
export function wordsOf(code: string): LocaleWords {
  const definition = Object.hasOwn(definitions, code) ? definitions[code] : undefined;
  if (!definition || !hasNames(definition)) {
    throw new RangeError(
      `Failed to find the locale "${code}". Please choose from those with person names: ${localeCodes.join(', ')}.`,
    );
  }
  const { person, location, phone_number: phone } = definition;
  const base = definitions.en;
  const international = strings(phone?.format?.international).map((pattern) => pattern.replace('+', ''));
  return {
    code,
    firstNames: bySex(person?.first_name),
    lastNames: bySex(person?.last_name),
    middleNames: bySex(person?.middle_name),
    cities: firstFilled(strings(location?.city_name), strings(base?.location?.city_name)),
    streets: firstFilled(
      strings(location?.street_name),
      strings(location?.street_name_part),
      strings(base?.location?.street_name),
    ),
    phones: firstFilled(international, NO_COUNTRY).map(readPattern),
  };
}

type NamesBySex = { generic?: unknown; male?: unknown; female?: unknown } | null | undefined;

function hasNames(definition: LocaleDefinition | undefined): boolean {
  return [definition?.person?.first_name, definition?.person?.last_name].every((names) =>
    bySex(names).every((list) => list.length > 0),
  );
}

function bySex(names: NamesBySex): [string[], string[]] {
  const generic = strings(names?.generic);
  return [firstFilled(strings(names?.male), generic), firstFilled(strings(names?.female), generic)];
}

/**
 * Returns the plain strings among the values, which may also be missing, null (not applicable) or weighted.
 */
function strings(values: unknown): string[] {
  return Array.isArray(values)
    ? values.filter((value): value is string => typeof value === 'string' && value.trim() !== '')
    : [];
}

function firstFilled(...lists: string[][]): string[] {
  return lists.find((list) => list.length > 0) ?? [];
}

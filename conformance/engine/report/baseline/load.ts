/**
 * Reads the list of known failures, `known-failures.yaml`. Every mistake in it is an error: an entry with a
 * misspelt id would have no effect, and nobody would notice.
 */
import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument, type YAMLMap } from 'yaml';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { otherThanText } from '#service/process/files/file-kind.ts';
import { InputError } from '../../input-error.ts';
import { editDistance } from '../../party/file/problem.ts';
import { readUntil } from './last-day.ts';
import type { SetAside } from './set-aside.ts';

/** An entry of the list: a check that is known to fail, why, and until when that is accepted. */
export type KnownFailure = {
  check: string;
  /** The whole text after the id, as written. */
  reason: string;
  /** The last day (`YYYY-MM-DD`) of the entry, when its text ends with one. */
  lastDay: string | undefined;
  /** Where the entry stands, as `file:line:column`. */
  place: string;
  /** The check passes or fails by chance, and both are accepted. */
  isFlaky?: true;
};

/** All entries of the list, the flaky checks last. */
export type Baseline = readonly KnownFailure[];

/** The ids that a file of known failures may name. */
export type BaselineIds = {
  checks: readonly string[];
  requirements: readonly Pick<Requirement, 'id' | 'source'>[];
};

/** What a file of known failures says. */
export type BaselineFile = { failures: Baseline; setAside: SetAside };

/** Limits the file. The list is written by hand, so a larger file is something else. */
const MAX_FILE_BYTES = 256 * 1024;

/**
 * The text of an entry: a reason, a comma, and until when. For example, `digest is upper case, vendor ticket
 * 12, until 2026-03-31`.
 */
export const REASON = /^(?<why>.*\S)\s*,\s*until\s+(?<until>\S.*)$/is;
/** The day that an error message shows as an example, where it cannot tell which day was meant. */
const EXAMPLE = '2026-03-31';

/**
 * Reads a file of known failures: `check-id: reason, until when`. A day (`2026-03-31`) is the last one on
 * which the entry holds, and a time in any other notation is refused; other words (`until release 5`) are for
 * people. Checks that pass or fail by chance are listed in the same way under the key `flaky`. Under the key
 * `set-aside` stand requirements that the project contests: `requirement-id: reason`; `field: reason` sets
 * all facts of the field aside.
 * @throws InputError that names file, line, column and the correction
 */
export function loadBaseline(file: string, ids: BaselineIds): BaselineFile {
  return parseBaseline(textOfBaseline(file), file, ids);
}

/**
 * The text of a file of known failures.
 * @throws InputError when it cannot be read
 */
export function textOfBaseline(file: string): string {
  const other = otherThanText(file);
  if (other) throw new InputError(`Failed to read ${file}: it is ${other}. Please name a text file.`);
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new InputError(
      `Failed to read ${file}: there is no such file that can be read. Please correct the name.`,
      { cause },
    );
  }
}

/** Reads the list as {@link loadBaseline} does, from a text. `file` is the name that errors show. */
export function parseBaseline(text: string, file: string, ids: BaselineIds): BaselineFile {
  const { checks, requirements } = ids;
  const lines = new LineCounter();
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${line}:${col}`;
  };
  if (text.length > MAX_FILE_BYTES)
    throw new InputError(
      `${file}: larger than ${MAX_FILE_BYTES} characters. Please list known failures only.`,
    );
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [error] = [...document.errors, ...document.warnings];
  if (error) throw new InputError(`${place(error.pos[0])}: ${firstLine(error.message)}`, { cause: error });
  // The lines below a key. An empty key has none; anything but lines is refused, with `where` in the message.
  const itemsOf = (node: unknown, offset: number, where: string): YAMLMap['items'] => {
    if (node === null || (isScalar(node) && node.value === null)) return [];
    if (isMap(node)) return (node as YAMLMap).items;
    throw new InputError(`${place(offset)}: Please write one line "check-id: reason, until when" ${where}.`);
  };
  const { contents } = document;
  const items = itemsOf(contents, offsetOf(contents), 'for each known failure');
  const named = (name: string) => items.find(({ key }) => isScalar(key) && key.value === name);
  const [flaky, contested] = [named(FLAKY), named(SET_ASIDE)];
  const known = entriesOf(
    items.filter((item) => item !== flaky && item !== contested),
    { place, checks },
  );
  const rows = contested ? itemsOf(contested.value, offsetOf(contested.key), ROWS_BELOW) : [];
  const setAside = setAsideIn(rows, place, requirements);
  if (!flaky) return { failures: known, setAside };
  const below = itemsOf(flaky.value, offsetOf(flaky.key), `below "${FLAKY}" for each flaky check`);
  const unsure = entriesOf(below, { place, checks });
  const twice = unsure.find(({ check }) => known.some((entry) => entry.check === check));
  if (twice)
    throw new InputError(
      `${twice.place}: "${twice.check}" is listed as a known failure already. Please list it once: a flaky check may fail as well.`,
    );
  const failures = [...known, ...unsure.map((entry) => ({ ...entry, isFlaky: true as const }))];
  return { failures, setAside };
}

/** The key of flaky checks; no check has this name. */
export const FLAKY = 'flaky';

/** The key of requirements that are set aside. */
export const SET_ASIDE = 'set-aside';
/** Names all facts of the field at once, for a party that no deployed program works with. */
const FIELD = 'field';
const ROWS_BELOW = `below "${SET_ASIDE}" for each requirement`;

/** The requirements of these lines, each with its reason. */
function setAsideIn(
  items: YAMLMap['items'],
  place: (offset: number) => string,
  requirements: BaselineIds['requirements'],
): SetAside {
  return Object.fromEntries(
    items.flatMap(({ key, value }) => {
      const at = place(offsetOf(key));
      const id = isScalar(key) ? String(key.value) : '';
      const named = requirements.filter((row) => row.id === id || (id === FIELD && row.source === FIELD));
      const ids = requirements.map((row) => row.id);
      if (named.length === 0)
        throw new InputError(`${at}: There is no requirement "${id}".${suggestion(id, ids)}`);
      const reason = isScalar(value) && typeof value.value === 'string' ? value.value.trim() : '';
      if (reason === '') throw new InputError(`${at}: Please say why "${id}" does not bind this project.`);
      return named.map((row) => [row.id, reason]);
    }),
  );
}

/** The entries of these lines, each checked: its id exists, and its text has a reason and an end. */
function entriesOf(
  items: YAMLMap['items'],
  { place, checks }: { place: (offset: number) => string; checks: readonly string[] },
): KnownFailure[] {
  return items.map(({ key, value }) => {
    const at = place(offsetOf(key));
    if (!isScalar(key) || typeof key.value !== 'string')
      throw new InputError(`${at}: The id of a check is expected here.`);
    if (!checks.includes(key.value))
      throw new InputError(`${at}: There is no check "${key.value}".${suggestion(key.value, checks)}`);
    const reason = isScalar(value) && typeof value.value === 'string' ? value.value.trim() : '';
    const lastDay = lastDayOf(reason, place(offsetOf(value, offsetOf(key))), key.value);
    return { check: key.value, reason, lastDay, place: at };
  });
}

/** The last day in the text of an entry; `undefined` when the text ends with words for people. */
function lastDayOf(reason: string, at: string, check: string): string | undefined {
  const until = REASON.exec(reason)?.groups?.until?.trim();
  if (until === undefined) {
    throw new InputError(
      `${at}: Please say why "${check}" is known to fail and until when that is accepted: "reason, until 2026-03-31".`,
    );
  }
  const read = readUntil(until);
  if ('refused' in read)
    throw new InputError(`${at}: There is no day "${until}". Please write it as ${read.meant ?? EXAMPLE}.`);
  return 'day' in read ? read.day : undefined;
}

/** Where a node of the YAML document begins, in characters; `otherwise` for a node that is absent. */
function offsetOf(node: unknown, otherwise = 0): number {
  const range = (node as { range?: [number, number, number] | null } | null)?.range;
  return range?.[0] ?? otherwise;
}

function firstLine(message: string): string {
  return message.split('\n')[0] as string;
}

/** " Did you mean …?" with the most similar id, where at most 3 letters, or a third of them, differ. */
function suggestion(id: string, checks: readonly string[]): string {
  const nearest = checks
    .map((check) => ({ check, distance: editDistance(id.toLowerCase(), check) }))
    .sort((a, b) => a.distance - b.distance)[0];
  if (!nearest || nearest.distance > Math.max(3, id.length / 3))
    return ' Please run with --list to see all of them.';
  return ` Did you mean "${nearest.check}"?`;
}

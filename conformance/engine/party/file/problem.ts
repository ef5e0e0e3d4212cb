/** Describes the mistakes in an adapter file for its author: where they are, and what is valid there. */

/** A place in the file: the keys of sections and the indexes of lists that lead to it. */
export type Path = readonly PropertyKey[];

/** A line and a column, both counted from 1. */
export type FilePosition = { line: number; column: number };

/** One mistake in the file. */
export type Problem = {
  path: Path;
  /** Whether the key itself is wrong, or its value. */
  at: 'key' | 'value';
  /** A whole sentence if the path is empty; otherwise the rest of a sentence that begins with the path. */
  sentence: string;
  /** The position, for problems whose path is empty. */
  place?: FilePosition;
};

/** The file cannot be used; `message` lists every problem on its own line. */
export class AdapterFileError extends Error {
  override name = 'AdapterFileError';
  /** Each problem with its place, for those who show the file. Empty: the file cannot be read. */
  readonly places: readonly PlacedProblem[];
  constructor(message: string, { places = [], ...options }: ErrorOptions & Partial<Places> = {}) {
    super(message, options);
    this.places = places;
  }
}

/** One problem as a sentence, and where it stands. */
export type PlacedProblem = { file: string; line?: number | undefined; text: string };
type Places = { places: readonly PlacedProblem[] };

/** Finds the position of a path in the file; undefined: it is not known. */
export type Locate = (problem: Pick<Problem, 'path' | 'at'>) => FilePosition | undefined;

/** Makes one error of all problems, in the order in which they stand in the file. */
export function adapterFileError(
  file: string,
  problems: readonly Problem[],
  locate: Locate,
): AdapterFileError {
  const placed = problems
    .map((problem) => ({ problem, place: problem.place ?? locate(problem) }))
    .sort((a, b) => order(a.place) - order(b.place));
  const told = placed.map(({ problem: { path, sentence }, place }) => {
    const where = place ? `${file}:${place.line}:${place.column}` : file;
    const text = `${path.length > 0 ? `${pathText(path)}: ` : ''}${sentence}`;
    return { file, line: place?.line, text, listed: `${where} ${text}` };
  });
  const count = told.length === 1 ? 'it has a problem' : `it has ${told.length} problems`;
  const lines = told.map(({ listed }) => listed).join('\n');
  return new AdapterFileError(`Failed to use the adapter file ${file}: ${count}.\n${lines}`, {
    places: told,
  });
}

/**
 * Writes a path as text.
 * @example pathText(['steps', 'confirmOtp', 'headers', 'x-key', 0]) // 'steps.confirmOtp.headers.x-key[0]'
 */
function pathText(path: Path): string {
  return path
    .map((key, index) => {
      if (typeof key === 'number') return `[${key}]`;
      const name = String(key);
      if (!/^[\w$-]+$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** Returns a sentence with the name that was probably meant, or else with all possible names. */
export function suggestion(given: string, possible: readonly string[]): string {
  const [nearest] = possible
    .map((name) => ({ name, distance: editDistance(given.toLowerCase(), name.toLowerCase()) }))
    .filter(({ name, distance }) => distance <= Math.max(1, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance);
  if (nearest) return `Did you mean ${nearest.name}?`;
  return possible.length > 0 ? `Possible here: ${possible.join(', ')}.` : 'Nothing is possible here.';
}

/** How much of a wrong value an error shows. */
const MAX_SHOWN_CHARS = 80;

/** A value in a few words: a short text as it is, anything large by its type. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a section';
  const text = JSON.stringify(value) ?? 'nothing';
  const kind = typeof value === 'number' ? 'the number ' : '';
  return `${kind}${text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text}`;
}

/** A number by which positions are sorted; a problem without position comes first. */
function order(place: FilePosition | undefined): number {
  return place ? place.line * 1_000_000 + place.column : 0;
}

/**
 * How many typing mistakes lie between two texts (Levenshtein distance; swapped neighbours are one mistake).
 * Infinite for long texts and for texts of very different length, which are no misspellings of each other.
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8 || a.length > 64) return Number.POSITIVE_INFINITY;
  const rows: number[][] = Array.from({ length: a.length + 1 }, (_, row) => [row]);
  const at = (row: number, column: number) => rows[row]?.[column] ?? 0;
  for (let column = 1; column <= b.length; column++) (rows[0] as number[])[column] = column;
  for (let row = 1; row <= a.length; row++) {
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1;
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      (rows[row] as number[])[column] = Math.min(
        at(row - 1, column) + 1,
        at(row, column - 1) + 1,
        at(row - 1, column - 1) + same,
        ...(swapped ? [at(row - 2, column - 2) + 1] : []),
      );
    }
  }
  return at(a.length, b.length);
}

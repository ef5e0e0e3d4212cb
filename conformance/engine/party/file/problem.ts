/** Describes the mistakes in an adapter file for its author: where they are, and what is valid there. */

/** A section of the file, before it is known to fit the schema. */
export type Section = Record<string, unknown>;

/** A place in the file: the keys of sections and the indexes of lists that lead to it. */
export type Path = readonly PropertyKey[];

export type FilePosition = { line: number; column: number };

export type Problem = {
  path: Path;
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
  constructor(
    message: string,
    { places = [], ...options }: ErrorOptions & { places?: readonly PlacedProblem[] } = {},
  ) {
    super(message, options);
    this.places = places;
  }
}

export type PlacedProblem = { file: string; line?: number | undefined; text: string };

/** Finds the position of a path in the file; undefined: it is not known. */
export type Locate = (problem: Pick<Problem, 'path' | 'at'>) => FilePosition | undefined;

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

export const possibleHere = (possible: readonly string[]): string =>
  possible.length > 0 ? `Possible here: ${possible.join(', ')}.` : 'Nothing is possible here.';

const MAX_SHOWN_CHARS = 80;

/** Parts of an address that may be secret: the user, and the query. */
const SECRET_PARTS = /(?<=:\/\/).*@|(?<=\?)[\w.~%-]+=.*/gs;

/** A value in a few words: a short text without secret parts, anything large by its type. */
export function valueInWords(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'a section';
  const told = typeof value === 'string' ? value.replace(SECRET_PARTS, '…') : value;
  const text = JSON.stringify(told) ?? 'nothing';
  const kind = typeof value === 'number' ? 'the number ' : '';
  return `${kind}${text.length > MAX_SHOWN_CHARS ? `${text.slice(0, MAX_SHOWN_CHARS)}…` : text}`;
}

/** A number by which positions are sorted; a problem without position comes first. */
function order(place: FilePosition | undefined): number {
  return place ? place.line * 1_000_000 + place.column : 0;
}

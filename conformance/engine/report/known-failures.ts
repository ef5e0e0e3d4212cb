/**
 * Known failures: a file lists checks that are known to fail. They do not break the run; an entry that is out
 * of date does. A mistake in the file is an error: an entry with a misspelt name would have no effect.
 */
import { z } from 'zod';
import { type Demands, isRed, type Verdict } from '../check/verdict.ts';
import { InputError } from '../input-error.ts';
import { readTextFile } from '../journal/input-file.ts';
import { readYaml } from '../party/file/yaml-source.ts';

/** An entry: why the failure is accepted, the last day (`YYYY-MM-DD`), and its `file:line:column`. */
export type KnownFailure = { check: string; because: string; until: string; place: string };

export type AppliedFailures = {
  /** Checks that fail as known, with the reason. Key: id of the check. */
  known: Readonly<Record<string, string>>;
  /** Entries that are out of date: the check does not fail any more, or the last day has passed. */
  stale: { check: string; because: string }[];
  /** Whether the run passes: every failure is known, and no entry is out of date. */
  passes: boolean;
};

/** Compares verdicts with the known failures on the day of the run, `today` (`YYYY-MM-DD`). */
export function applyKnownFailures(
  verdicts: readonly Verdict[],
  failures: readonly KnownFailure[],
  { demands, today }: { demands: Demands; today: string },
): AppliedFailures {
  const known: Record<string, string> = {};
  const stale: AppliedFailures['stale'] = [];
  for (const { check, because, until, place } of failures) {
    const verdict = verdicts.find((each) => each.check === check);
    if (!verdict) continue;
    const addStale = (why: string) => stale.push({ check, because: `${place}: ${why}` });
    if (verdict.outcome === 'pass' || verdict.outcome === 'not applicable') {
      const now = verdict.outcome === 'pass' ? 'it passes now' : 'it does not apply now';
      addStale(`listed as a known failure, but ${now}. Please take it off the list.`);
    } else if (today > until)
      addStale(`accepted until ${until}, which has passed. Please have it mended, or accept it again.`);
    else known[check] = because;
  }
  const others = verdicts.filter(({ check }) => !Object.hasOwn(known, check));
  return { known, stale, passes: stale.length === 0 && others.every((each) => !isRed(each, demands)) };
}

/** Reads a file that names these checks. @throws InputError with file, line, column and the correction */
export function loadKnownFailures(file: string, checks: readonly string[]): KnownFailure[] {
  return parseKnownFailures(readTextFile(file, 'Please name a text file.'), file, checks);
}

/** Reads the text of a file as {@link loadKnownFailures} does. `file` is the name that errors show. */
export function parseKnownFailures(text: string, file: string, checks: readonly string[]): KnownFailure[] {
  const source = readYaml(text);
  if (Array.isArray(source))
    throw new InputError(
      source.map(({ sentence, place }) => `${file}:${place?.line}:${place?.column}: ${sentence}`).join('\n'),
    );
  const placeOf = (path: readonly PropertyKey[]) => {
    const place = source.locate({ path, at: 'value' });
    return `${file}:${place?.line}:${place?.column}`;
  };
  const read = fileSchema(checks).safeParse(source.data);
  if (!read.success)
    throw new InputError(
      read.error.issues.map(({ path, message }) => `${placeOf(path)}: ${message}`).join('\n'),
    );
  return read.data.known.map((entry, index) => ({ ...entry, place: placeOf(['known', index]) }));
}

const FORM = 'Please write a list `known`, whose entries have `check`, `because` and `until`.';
const LAST_DAY = 'Please write the last day as YYYY-MM-DD.';

function fileSchema(checks: readonly string[]) {
  const check = z
    .string(FORM)
    .refine((id) => checks.includes(id), { error: ({ input }) => `There is no check "${input}".` });
  const because = z.string(FORM).trim().min(1, 'Please say why this failure is accepted.');
  const until = z.iso.date({
    error: ({ input }) => `${input === undefined ? '`until` is missing. ' : ''}${LAST_DAY}`,
  });
  return z.strictObject({ known: z.array(z.strictObject({ check, because, until }, FORM), FORM) }, FORM);
}

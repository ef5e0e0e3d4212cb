/** What writes a run to standard output, in whatever form. */
import type { Entry } from '../../journal/entry.ts';
import type { Run } from '../../journal/run-file.ts';
import type { Diagnosis } from '../../party/diagnosis.ts';
import type { Report } from '../schema/schema.ts';

/** What the user must correct in the set-up. Empty: nothing. */
export type Problems = readonly { problem: string; remedy: string }[];

/** A judged run, and the files of its report; none where nothing was written. */
export type JudgedReport = { run: Run; report: Report; paths: readonly string[] };

/** Writes a run as it goes on, and its report at the end. */
export type Reporter = {
  /** Takes every entry of the journal, masked, during the run. */
  progress(entry: Entry): void;
  line(text: string): void;
  diagnosis(diagnosis: Diagnosis): void;
  /** Says at the end whether the party can be judged, where nothing else was asked. */
  setUp(party: string, problems: Problems): void;
  /** Removes what is on the screen for a moment only. `finish` does so too. */
  end(): void;
  /** Writes the whole report at the end. */
  finish(judged: JudgedReport): void;
};

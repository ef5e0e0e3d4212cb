/** What a doctor found of one part of the set-up. */
export type Diagnosis = {
  /** kebab-case, stable. */
  id: string;
  title: string;
  ok: boolean;
  /** What was found, in one sentence. */
  found: string;
  /** What to do; only for problems. */
  remedy?: string;
};

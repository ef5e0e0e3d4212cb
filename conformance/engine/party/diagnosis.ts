/** What the doctor, which examines the set-up before a party is judged, found about one part of it. */
export type Diagnosis = {
  /** kebab-case, stable. */
  id: string;
  title: string;
  ok: boolean;
  found: string;
  /** What the user should do; only where `ok` is false. */
  remedy?: string;
};

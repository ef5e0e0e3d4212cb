/** What a rule reports. */
export type Finding = {
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
  /** What is wrong and what to do instead, in a sentence. */
  readonly message: string;
};

/** What a case is made of: the check that fails, and the parties on which it is played. */
import type { Check } from '../check/check.ts';
import type { Finding } from '../check/verdict.ts';
import { InputError } from '../input-error.ts';
import type { Run } from '../journal/run-file.ts';
import type { ScriptParts } from './script.ts';
import type { CurlCase } from './shell/curl-case.ts';
import type { Tap } from './tap.ts';
import type { Sides } from './trace/traced-call.ts';

/** A party that is started alone, for the scripts. */
export type Stand = {
  parts: (about: Told) => ScriptParts;
  /** Environment variables that the script needs: addresses and secrets. */
  env: Readonly<Record<string, string>>;
  /** Does what a script asks of a person, in its words. */
  person?(sentence: string): Promise<void>;
  /** Whether somebody has to do it by hand: then few scripts are played. */
  isByHand?: boolean;
  /** Gives it a fresh state before a script; absent where it keeps what it has. */
  reset?(): Promise<void>;
  close(): Promise<unknown>;
};

/** A party on which a case is made, or compared. */
export type CaseParty = {
  /** Plays the scenarios of this check. */
  play(check: Check, tap: Tap): Promise<Run>;
  stand(): Promise<Stand>;
};

/** What the head of a script says. */
export type Told = { check: Check; finding: Finding & { outcome: 'fail' }; scenario: string };

export type CaseOptions = {
  check: Check;
  /** The name of the party in findings. */
  blamed: string;
  party: CaseParty;
  /** A right party. `isAlike`: its interface is that of the party, so that a script can be played on both. */
  right: CaseParty & { isAlike: boolean };
  sides: Sides;
  signal: AbortSignal;
  /** Whether a script by curl is made, too, where one party alone is called. */
  isByCurl?: boolean;
  /** Takes what is being done: a case may take minutes. */
  onDoing?: ((what: string) => void) | undefined;
};

/** A case, and how many calls it has. `curl`: its script by curl; undefined: none was asked for. */
export type Case = {
  script: string;
  calls: number;
  told: Told;
  sentence: string;
  curl?: CurlCase | undefined;
};

/** This check cannot be told as a case; the message says why. */
export class Untellable extends InputError {}

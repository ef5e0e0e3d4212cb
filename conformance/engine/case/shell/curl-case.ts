/** Makes the script by curl of a case, and plays it: it is written only where it tells the parties apart. */
import type { Fact } from '../fact.ts';
import type { ScriptParts } from '../script.ts';
import type { Trace } from '../trace/traced-call.ts';
import { runShell } from './run-shell.ts';
import { shellScriptOf } from './shell-script.ts';
import { Unsayable } from './shell-words.ts';

/** The script, or why there is none, in a part of a sentence. */
export type CurlCase = { script: string } | { because: string };

/** A party on which the script is played. */
type PlayedParty = { env: Readonly<Record<string, string>>; reset?: () => Promise<void> };

export type CurlOptions = {
  trace: Trace;
  fact: Fact;
  parts: ScriptParts;
  sentence: string;
  wrong: PlayedParty;
  right: PlayedParty;
  signal: AbortSignal;
};

export async function curlCaseOf({
  trace,
  fact,
  parts,
  sentence,
  wrong,
  right,
  signal,
}: CurlOptions): Promise<CurlCase> {
  const written = scriptFor({ trace, fact, parts, sentence });
  if ('because' in written) return written;
  const { script } = written;
  for (const [party, name, code] of [
    [wrong, 'the party', 1],
    [right, 'the right party', 0],
  ] as const) {
    await party.reset?.();
    const ended = await runShell(script, { env: party.env, signal });
    if (ended.code !== code) return { because: `on ${name} it says: ${ended.said.trim()}` };
  }
  return { script };
}

function scriptFor({
  trace,
  fact,
  parts,
  sentence,
}: Omit<CurlOptions, 'wrong' | 'right' | 'signal'>): CurlCase {
  try {
    return { script: shellScriptOf(trace, fact, parts, sentence) };
  } catch (error) {
    if (error instanceof Unsayable) return { because: `it would need ${error.message}` };
    throw error;
  }
}

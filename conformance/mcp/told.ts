/** What a run says to a client of the protocol: its text at the end, and how far it has come meanwhile. */
import { relative, sep } from 'node:path';
import type { Entry } from '../engine/journal/entry.ts';
import { agentReporter, type CauseText } from '../engine/report/agent/agent.ts';
import { plain } from '../engine/report/agent/quote.ts';
import type { Reporter } from '../engine/report/terminal/reporter.ts';
import type { Folder } from './folder.ts';
import type { CallContext } from './tool.ts';

/** How many causes an answer tells whole. The others have one line: most follow from the first. */
export const MAX_WHOLE_CAUSES = 3;

/** Gathers what a run writes. */
export class Told {
  readonly #written: string[] = [];
  readonly #remarks: string[] = [];
  readonly #onProgress: CallContext['onProgress'];
  readonly #playAlone: CauseText['playAlone'];

  constructor(onProgress: CallContext['onProgress'], playAlone: CauseText['playAlone']) {
    this.#onProgress = onProgress;
    this.#playAlone = playAlone;
  }

  /** Creates the reporter of a run of so many scenarios. */
  reporter(total: number): Reporter {
    return {
      ...agentReporter({
        screen: { write: (text) => this.#written.push(text) },
        aside: { write: (line) => this.#remarks.push(`remark: ${plain(line.trimEnd())}\n`) },
        playAlone: this.#playAlone,
        whole: { from: 1, most: MAX_WHOLE_CAUSES },
      }),
      progress: progressOf(total, this.#onProgress),
    };
  }

  text(): string {
    return [...this.#written, ...this.#remarks].join('');
  }
}

/** Tells of each scenario that has ended for the first time. */
export function progressOf(total: number, onProgress: CallContext['onProgress']): (entry: Entry) => void {
  const ended = new Set<string>();
  return (entry) => {
    if (entry.kind !== 'scenario' || entry.phase !== 'end' || ended.has(entry.scenario)) return;
    ended.add(entry.scenario);
    onProgress(ended.size, Math.max(total, ended.size), entry.scenario);
  };
}

/** What a call that plays one check alone is made of. `config` is the path of the file about the party. */
type PlayedAlone = { role: string; config: string; seed: number };

/** Returns the call of the tool that plays a check alone, for the report. */
export function callOf(folder: Folder, { role, config, seed }: PlayedAlone): CauseText['playAlone'] {
  const path = relative(folder.root, config).replaceAll(sep, '/');
  return (only) => `tool judge ${JSON.stringify({ role, config: path, seed, only })}`;
}

/** Sends the inputs of findings once more, each to a party started for it. */
import { readFinding } from './input.ts';
import { startSubject } from './subject.ts';
import { tryOne } from './trial.ts';

/** Says of each file what breaks, and resolves to whether nothing does. */
export async function replay(files: readonly string[], say: (line: string) => void): Promise<boolean> {
  let isSound = true;
  for (const file of files) {
    const { party, input } = readFinding(file);
    const subject = await startSubject(party);
    const broke = await tryOne(subject, input).finally(() => subject.stop());
    say(`${file}: ${broke.length === 0 ? 'nothing breaks' : `broke: ${broke.join('\n  ')}`}`);
    isSound &&= broke.length === 0;
  }
  return isSound;
}

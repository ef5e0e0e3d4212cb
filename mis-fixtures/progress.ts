/** Shows the progress of a run: a bar on a terminal, plain lines elsewhere. */
import { Presets, SingleBar } from 'cli-progress';
import type { LoadProgress } from './load-population.ts';

export type ProgressView = { show(progress: LoadProgress): void; stop(): void };

/** Where to write. `isTTY` selects the form. */
export type FixturesOutput = NodeJS.WritableStream & { isTTY?: boolean };

export function createProgressView(output: FixturesOutput): ProgressView {
  return output.isTTY ? barOn(output) : linesOn(output);
}

function barOn(stream: FixturesOutput): ProgressView {
  const bar = new SingleBar(
    {
      stream,
      hideCursor: true,
      clearOnComplete: true,
      format: '{bar} {percentage}% | {value}/{total} patients | {phase} | {eta_formatted} left',
    },
    Presets.shades_classic,
  );
  let started = false;
  return {
    show({ phase, done, total }) {
      const payload = { phase: phase === 'indexes' ? 'sorting and indexing' : 'writing' };
      if (!started) bar.start(total, done, payload);
      else bar.update(done, payload);
      started = true;
    },
    stop() {
      if (started) bar.stop();
    },
  };
}

/** Writes a line for each tenth, so that a log stays short. */
function linesOn(output: FixturesOutput): ProgressView {
  let shown = 0;
  return {
    show({ phase, done, total }) {
      const tenth = phase === 'indexes' ? 11 : Math.floor((10 * done) / total);
      if (tenth <= shown) return;
      shown = tenth;
      output.write(phase === 'indexes' ? 'sorting and indexing\n' : `${done} of ${total} patients\n`);
    },
    stop: () => undefined,
  };
}

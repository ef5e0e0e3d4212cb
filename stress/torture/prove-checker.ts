/** Positive controls: the server with one planted defect after another, each of which the checker must find. A checker that cannot fail proves nothing. */
import { type Defect, defects } from './plant/defects.ts';
import { runTorture, type TortureOptions, type TortureParts, type TortureResult } from './run.ts';

/** Runs every defect of the engine; resolves to whether all were found. */
export async function proveChecker(options: TortureOptions, parts: TortureParts): Promise<boolean> {
  let isProven = true;
  for (const defect of defects.filter(({ engine }) => engine === options.engine)) {
    const result = await runWithDefect(defect, { ...options, ...small(options) }, { ...parts, say: () => undefined });
    const found = foundBy(defect, result);
    if (found.length === 0) isProven = false;
    const verdict = found.length > 0 ? `found, by ${found.join(', ')}` : 'NOT FOUND';
    const others = `${result.violations.length} violations in ${result.checkedCalls} calls`;
    parts.say(`${defect.engine}: a server that ${defect.title}: ${verdict} (${others})`);
  }
  return isProven;
}

/** One run against a server with a planted defect. */
export function runWithDefect(defect: Defect, options: TortureOptions, parts: TortureParts): Promise<TortureResult> {
  return runTorture(
    {
      ...options,
      nodeFlags: ['--import', './stress/torture/plant/plant.ts'],
      env: { TORTURE_DEFECT: defect.name },
      ...(defect.serverSettings && { serverSettings: defect.serverSettings }),
    },
    parts,
  );
}

/** The rules that the defect was to break and did. */
export function foundBy(defect: Defect, { violations }: TortureResult): string[] {
  return defect.rules.filter((rule) => violations.some((violation) => violation.rule === rule));
}

/** Enough for every defect to show. */
function small({ databaseRestarts, engine, processes }: TortureOptions): Partial<TortureOptions> {
  const kills = engine === 'sqlite' ? 3 : 0;
  return {
    operations: 1500,
    milliseconds: 0,
    kills,
    cuts: 0,
    databaseRestarts: Math.min(3, databaseRestarts),
    processes: Math.min(2, processes),
  };
}

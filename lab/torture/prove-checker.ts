/**
 * Positive controls: runs the server with each injected defect in turn. The checker must find every one. A
 * checker that cannot fail proves nothing.
 */
import { type Defect, defects } from './inject/defects.ts';
import { runTorture, type TortureOptions, type TortureParts, type TortureResult } from './run.ts';

/** Runs every defect of the engine. Resolves to whether all were found. */
export async function proveChecker(options: TortureOptions, parts: TortureParts): Promise<boolean> {
  let isProven = true;
  for (const defect of defects.filter(({ engine }) => engine === options.engine)) {
    const result = await runWithDefect(defect, { ...options, ...small(options) }, { ...parts, log: () => undefined });
    const found = foundBy(defect, result);
    if (found.length === 0) isProven = false;
    const verdict = found.length > 0 ? `found, by ${found.join(', ')}` : 'NOT FOUND';
    const others = `${result.violations.length} violations in ${result.checkedCalls} calls`;
    parts.log(`${defect.engine}: a server that ${defect.title}: ${verdict} (${others})`);
  }
  return isProven;
}

/** Runs once against a server with an injected defect. */
export function runWithDefect(defect: Defect, options: TortureOptions, parts: TortureParts): Promise<TortureResult> {
  return runTorture(
    {
      ...options,
      nodeFlags: ['--import', './lab/torture/inject/inject.ts'],
      env: { TORTURE_DEFECT: defect.name },
      ...(defect.serverSettings && { serverSettings: defect.serverSettings }),
    },
    parts,
  );
}

/** Returns the rules that the defect was meant to break and did break. */
export function foundBy(defect: Defect, { violations }: TortureResult): string[] {
  return defect.rules.filter((rule) => violations.some((violation) => violation.rule === rule));
}

/** Returns options for a short run in which every defect still shows. */
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

/** What the documents say of the conformance kit, counted from its own tables: checks, scenarios, defects and harmless variants. */
import { checks } from '#conformance/checks/index.ts';
import { defects, harmless } from '#conformance/defects/index.ts';
import { scenarios } from '#conformance/scenarios/index.ts';

type Named = { readonly id: string; readonly title: string };
export type DocumentedCheck = Named & {
  readonly level: string;
  readonly requirements: readonly string[];
  readonly scenarios: readonly string[];
  readonly watchable: boolean;
};

export type Kit = {
  readonly checks: readonly DocumentedCheck[];
  readonly scenarios: readonly Named[];
  readonly defects: readonly (Named & { readonly caughtBy: string })[];
  readonly harmless: readonly Named[];
};

/** The kit of this project. */
export const ownKit: Kit = { checks, scenarios, defects, harmless };

/** Ids and names that lead nowhere, one sentence each. */
export function kitProblems({ checks, scenarios, defects, harmless }: Kit): string[] {
  const repeated = (kind: string, rows: readonly Named[]) =>
    rows
      .filter(({ id }, index) => rows.findIndex((row) => row.id === id) !== index)
      .map(({ id }) => `The ${kind} ${id} is there twice.`);
  const unknownScenarios = checks.flatMap(({ id, scenarios: names }) =>
    names
      .filter((name) => !scenarios.some((scenario) => scenario.id === name))
      .map((name) => `The check ${id} names the scenario ${name}, and there is none.`),
  );
  const uncaught = defects
    .filter(({ caughtBy }) => !checks.some(({ id }) => id === caughtBy))
    .map(({ id, caughtBy }) => `The defect ${id} names the check ${caughtBy}, and there is none.`);
  return [
    ...repeated('check', checks),
    ...repeated('scenario', scenarios),
    ...repeated('variant', [...defects, ...harmless]),
    ...unknownScenarios,
    ...uncaught,
  ];
}

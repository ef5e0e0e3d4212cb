/**
 * The figures and tables of the conformance kit for the documents: checks, scenarios, defects and harmless
 * variants.
 */
import { checks } from '#conformance/roles/auth-server/checks/index.ts';
import { defects, harmless } from '#conformance/roles/auth-server/defects/index.ts';
import { notJudged } from '#conformance/roles/auth-server/defects/not-judged.ts';
import { scenarios } from '#conformance/roles/auth-server/flows/index.ts';
import { shapes } from '#conformance/roles/auth-server/self-test/shapes.ts';
import { clientDefects, harmlessClients } from '#conformance/roles/client/defects/index.ts';
import { clientNotJudged } from '#conformance/roles/client/defects/not-judged.ts';
import { allClientChecks, clientChecks } from '#conformance/roles/client/flows/index.ts';
import { ehrDefects, ehrHarmless } from '#conformance/roles/ehr-server/defects/index.ts';
import { ehrNotJudged } from '#conformance/roles/ehr-server/defects/not-judged.ts';
import { allEhrChecks, ehrChecks } from '#conformance/roles/ehr-server/flows/index.ts';
import { fileOf, flows } from '#e2e/flows/index.ts';
import type { Citation } from './citations.ts';

type Named = { readonly id: string; readonly title: string };
export type DocumentedCheck = Named & {
  readonly level: string;
  readonly requirements: readonly string[];
  readonly scenarios: readonly string[];
  readonly watchable: boolean;
};

type OnShape = { readonly shape?: string };
export type DocumentedDefect = Named & OnShape & { readonly caughtBy: string; readonly seenIn?: readonly string[] };

export type Kit = {
  readonly checks: readonly DocumentedCheck[];
  readonly scenarios: readonly Named[];
  readonly defects: readonly DocumentedDefect[];
  readonly harmless: readonly (Named & OnShape)[];
  /**
   * The correct servers that have defects and harmless variants. Rows that name no server belong to the
   * first.
   */
  readonly shapes: readonly Named[];
  /** Faults of public systems that no check judges, with the reason. */
  readonly notJudged: readonly { readonly id: string; readonly because: string }[];
  /** What the flows of `e2e/flows/` prove, which are data and no calls of `proves`. */
  readonly flows?: readonly Citation[];
  /** The roles whose right program has one shape. */
  readonly ehr?: OneShapeKit;
  readonly client?: OneShapeKit;
};

/** What the page of checks of a party needs. */
export type PartyChecks = Pick<Kit, 'checks' | 'scenarios' | 'defects'>;

export type OneShapeKit = PartyChecks & Pick<Kit, 'harmless' | 'notJudged'>;

/** The kit of this project. */
export const ownKit: Kit = {
  checks,
  scenarios,
  defects,
  harmless,
  shapes: Object.entries(shapes).map(([id, { title }]) => ({ id, title })),
  notJudged,
  flows: flows.flatMap((flow) => flow.requirements.map((id) => ({ id, file: fileOf(flow), title: flow.sentence }))),
  ehr: {
    checks: allEhrChecks,
    scenarios: ehrChecks.map(({ scenario }) => scenario),
    defects: ehrDefects,
    harmless: ehrHarmless,
    notJudged: ehrNotJudged,
  },
  client: {
    checks: allClientChecks,
    scenarios: clientChecks.map(({ scenario }) => scenario),
    defects: clientDefects,
    harmless: harmlessClients,
    notJudged: clientNotJudged,
  },
};

/** Returns the rows that belong to a shape of server. */
export function ofShape<T extends OnShape>({ shapes }: Kit, shape: string, rows: readonly T[]): T[] {
  return rows.filter((row) => (row.shape ?? shapes[0]?.id) === shape);
}

/** Lists ids and names that do not exist, one sentence each. */
export function kitProblems({ checks, scenarios, defects, harmless, notJudged, shapes }: Kit): string[] {
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
    ...repeated(
      'fault that is not judged',
      notJudged.map(({ id }) => ({ id, title: id })),
    ),
    ...[...defects, ...harmless]
      .filter(({ shape }) => shape !== undefined && !shapes.some(({ id }) => id === shape))
      .map(({ id, shape }) => `The variant ${id} is of the shape ${shape}, and there is none.`),
    ...unknownScenarios,
    ...uncaught,
  ];
}

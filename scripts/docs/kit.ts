/** The tables of the conformance kit for the documents, and the words for each role. */

import { defects, harmless } from '#conformance/roles/auth-server/defects/index.ts';
import { notJudged } from '#conformance/roles/auth-server/defects/not-judged.ts';
import { shapes } from '#conformance/roles/auth-server/self-test/shapes.ts';
import { clientDefects, harmlessClients } from '#conformance/roles/client/defects/index.mjs';
import { clientNotJudged } from '#conformance/roles/client/defects/not-judged.ts';
import { ehrDefects, ehrHarmless } from '#conformance/roles/ehr-server/defects/index.ts';
import { ehrNotJudged } from '#conformance/roles/ehr-server/defects/not-judged.ts';
import { judgedRoles as roles } from '#conformance/roles/judge.ts';
import { fileOf, flows } from '#e2e/flows/index.ts';
import type { Citation } from './citations.ts';

type NamedRow = { readonly id: string; readonly title: string };
type OnShape = { readonly shape?: string | undefined };

export type DocumentedCheck = NamedRow & {
  readonly requirements: readonly string[];
  readonly scenarios: readonly string[];
  readonly watchable: boolean;
  readonly advice?: string | undefined;
  readonly steps?: readonly string[] | undefined;
};
export type DocumentedDefect = NamedRow &
  OnShape & { readonly caughtBy: string; readonly seenIn?: readonly string[] | undefined };

/** A role of the kit: whom it judges, by what, and what proves that. */
export type RoleKit = {
  /** As on the command line. */
  readonly role: keyof typeof roles;
  readonly checks: readonly DocumentedCheck[];
  readonly scenarios: readonly NamedRow[];
  readonly defects: readonly DocumentedDefect[];
  readonly harmless: readonly (NamedRow & OnShape)[];
  /** The right programs that have defects and harmless variants. Rows that name none belong to the first. */
  readonly shapes: readonly NamedRow[];
  /** Faults of public systems that no check judges, with the reason. */
  readonly notJudged: readonly { readonly id: string; readonly because: string }[];
};

export type Kit = {
  readonly roles: readonly RoleKit[];
  /** What the flows of `e2e/flows/` prove, which are data and no calls of `proves`. */
  readonly flows?: readonly Citation[];
};

export const ownKit: Kit = {
  roles: [
    {
      role: 'auth-server',
      ...roles['auth-server'],
      defects,
      harmless,
      shapes: Object.entries(shapes).map(([id, { title }]) => ({ id, title })),
      notJudged,
    },
    {
      role: 'ehr-server',
      ...roles['ehr-server'],
      defects: ehrDefects,
      harmless: ehrHarmless,
      shapes: [{ id: 'reference', title: 'the reference EHR server' }],
      notJudged: ehrNotJudged,
    },
    {
      role: 'client',
      ...roles.client,
      defects: clientDefects,
      harmless: harmlessClients,
      shapes: [{ id: 'reference', title: 'the client in plain JavaScript' }],
      notJudged: clientNotJudged,
    },
  ],
  flows: flows.flatMap((flow) =>
    flow.requirements.map((id) => ({ id, file: fileOf(flow), title: flow.sentence })),
  ),
};

/** The words for a role. */
export const roleWords = {
  'auth-server': { one: 'an authorization server', many: 'authorization servers' },
  'ehr-server': { one: 'an EHR server', many: 'EHR servers' },
  client: { one: 'a client', many: 'clients' },
} as const;

/** Returns the rows that belong to a shape of program. */
export function ofShape<T extends OnShape>({ shapes }: RoleKit, shape: string, rows: readonly T[]): T[] {
  return rows.filter((row) => (row.shape ?? shapes[0]?.id) === shape);
}

/** Lists ids and names that do not exist, one sentence each. */
export function kitProblems({ checks, scenarios, defects, harmless, notJudged, shapes }: RoleKit): string[] {
  const variants = [...defects, ...harmless];
  const has = (rows: readonly { id: string }[], wanted: string) => rows.some(({ id }) => id === wanted);
  const twice = (kind: string, rows: readonly { id: string }[]) =>
    rows
      .filter(({ id }, index) => has(rows.slice(0, index), id))
      .map(({ id }) => `The ${kind} ${id} is there twice.`);
  return [
    ...twice('check', checks),
    ...twice('scenario', scenarios),
    ...twice('variant', variants),
    ...twice('fault that is not judged', notJudged),
    ...variants.flatMap(({ id, shape }) =>
      shape === undefined || has(shapes, shape)
        ? []
        : [`The variant ${id} is of the shape ${shape}, and there is none.`],
    ),
    ...checks.flatMap(({ id, scenarios: names }) =>
      names
        .filter((name) => !has(scenarios, name))
        .map((name) => `The check ${id} names the scenario ${name}, and there is none.`),
    ),
    ...defects
      .filter(({ caughtBy }) => !has(checks, caughtBy))
      .map(({ id, caughtBy }) => `The defect ${id} names the check ${caughtBy}, and there is none.`),
  ];
}

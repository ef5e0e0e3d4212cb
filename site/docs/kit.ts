/** The tables of the conformance kit for the documents, and the words for each role. */
import { defects } from '#conformance/roles/auth-server/defects/index.ts';
import { clientDefects } from '#conformance/roles/client/defects/index.mjs';
import { ehrDefects } from '#conformance/roles/ehr-server/self-test/self-test.ts';
import { judgedRoles as roles } from '#conformance/roles/judge.ts';
import { fileOf, flows } from '#e2e/flows/index.ts';
import type { Citation } from './citations.ts';

type NamedRow = { readonly id: string; readonly title: string };

export type DocumentedCheck = NamedRow & {
  readonly requirements: readonly string[];
  readonly scenarios: readonly string[];
  readonly advice?: string | undefined;
};
export type DocumentedDefect = NamedRow & { readonly caughtBy: string };

/** A role of the kit: whom it judges, by what, and what proves that. */
export type RoleKit = {
  /** As on the command line. */
  readonly role: keyof typeof roles;
  readonly checks: readonly DocumentedCheck[];
  readonly scenarios: readonly NamedRow[];
  readonly defects: readonly DocumentedDefect[];
};

export type Kit = {
  readonly roles: readonly RoleKit[];
  /** What the flows of `e2e/flows/` prove, which are data and no calls of `proves`. */
  readonly flows?: readonly Citation[];
};

export const ownKit: Kit = {
  roles: [
    { role: 'auth-server', ...roles['auth-server'], defects },
    { role: 'ehr-server', ...roles['ehr-server'], defects: ehrDefects },
    { role: 'client', ...roles.client, defects: clientDefects },
  ],
  flows: flows.flatMap((flow) =>
    flow.requirements.map((id) => ({ id, file: fileOf(flow), title: flow.sentence })),
  ),
};

export const roleWords = {
  'auth-server': { one: 'an authorization server', many: 'authorization servers' },
  'ehr-server': { one: 'an EHR server', many: 'EHR servers' },
  client: { one: 'a client', many: 'clients' },
} as const;

/** Lists ids and names that do not exist, one sentence each. */
export function kitProblems({ checks, scenarios, defects }: RoleKit): string[] {
  const has = (rows: readonly { id: string }[], wanted: string) => rows.some(({ id }) => id === wanted);
  const twice = (kind: string, rows: readonly { id: string }[]) =>
    rows
      .filter(({ id }, index) => has(rows.slice(0, index), id))
      .map(({ id }) => `The ${kind} ${id} is there twice.`);
  return [
    ...twice('check', checks),
    ...twice('scenario', scenarios),
    ...twice('defect', defects),
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

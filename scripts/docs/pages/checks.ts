/** `docs/checks.md`: every check of the conformance kit, how it judges, and what shows that it can fail. */
import type { Requirement } from '#protocol/requirements.ts';
import type { PartyChecks } from '../kit.ts';
import { code, GENERATED, page, table } from '../markdown.ts';

/** The party that a page is about, and the page that says how it is judged. */
export type About = { title: string; party: string; guide: string };

const AUTH_SERVER: About = {
  title: 'Checks of the conformance kit',
  party: 'an authorization server',
  guide: '[For integrators](for-integrators.md)',
};

export const EHR_SERVER: About = {
  title: 'Checks of an EHR server',
  party: 'an EHR server',
  guide: '[For makers of EHR servers](for-ehr-servers.md)',
};

export const CLIENT: About = {
  title: 'Checks of a client',
  party: 'a client',
  guide: '[For makers of client applications](for-clients.md)',
};

/** More scenarios than this are not named one by one where a check judges all of them. */
const MAX_NAMED_SCENARIOS = 20;

/** Returns the page as Markdown. */
export function checksPage(
  kit: PartyChecks,
  requirements: readonly Requirement[],
  { title, party, guide }: About = AUTH_SERVER,
): string {
  const { checks, scenarios, defects } = kit;
  const proven = checks.filter(({ id }) => defects.some(({ caughtBy }) => caughtBy === id)).length;
  const atLevel = (level: string) => String(checks.filter((check) => check.level === level).length);
  return page(
    GENERATED,
    `# ${title}`,
    `What the kit judges ${party} by. A MUST that is broken fails the run. A SHOULD or an ADVICE that is broken is a warning, and fails the run with \`--strict\`. How to run it: ${guide}.`,
    table(
      ['Checks', 'MUST', 'SHOULD', 'ADVICE', 'Judged in watch mode too', 'Named by a defect'],
      [
        [
          String(checks.length),
          atLevel('MUST'),
          atLevel('SHOULD'),
          atLevel('ADVICE'),
          String(checks.filter(({ watchable }) => watchable).length),
          String(proven),
        ],
      ],
    ),
    'The [defects](defects.md) that name a check show that it can fail. A check that none names is one of a series (the same judgement for another fault of the EHR server), or waits for its defect.',
    ...checks.flatMap((check) => [`## ${code(check.id)}`, `${check.title}.`, details(check, kit, requirements)]),
    '## Scenarios',
    'What the kit does in the place of clients, in this order.',
    table(
      ['Scenario', 'What is played', 'Judged by'],
      scenarios.map(({ id, title }) => [
        code(id),
        title,
        String(checks.filter((check) => check.scenarios.includes(id)).length),
      ]),
    ),
  );
}

function details(
  check: PartyChecks['checks'][number],
  { defects, scenarios }: PartyChecks,
  requirements: readonly Requirement[],
): string {
  const proofs = defects.filter(({ caughtBy }) => caughtBy === check.id);
  const required = check.requirements.map((id) => {
    const row = requirements.find((each) => each.id === id);
    return row ? `  - ${row.text} (${row.clause}, ${code(id)})` : `  - ${code(id)}`;
  });
  return [
    `- Level: ${check.level}${check.watchable ? '; judged in watch mode too' : ''}`,
    '- Requires:',
    ...required,
    `- Scenarios: ${check.scenarios.length > MAX_NAMED_SCENARIOS && check.scenarios.length === scenarios.length ? 'all' : check.scenarios.map(code).join(', ')}`,
    `- Defects that it must find: ${proofs.map(({ id }) => code(id)).join(', ') || 'none in the catalogue'}`,
  ].join('\n');
}

/** Everything that is generated, and everything that is wrong with it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { demoSettings } from '#demo/settings.ts';
import { ehrSettings } from '#ehr-server/config.ts';
import { BENCHMARK_FILES, benchmarksPage } from '#lab/bench/report/page.ts';
import { authSettings } from '#mock-auth-server/config.ts';
import { clientSettings } from '#mock-client/config.ts';
import { ehrMethods } from '#protocol/methods/ehr-methods.ts';
import { openRpcDocument } from '#protocol/methods/openrpc.ts';
import type { Requirement } from '#protocol/requirements/requirement.ts';
import { requirements } from '#protocol/requirements.ts';
import { isCode, listFiles, parse } from '#scripts/source.ts';
import { type Citations, claimProblems, isClaim, mayCite, readCitations, THREATS_PAGE } from './citations.ts';
import { type Kit, kitProblems, ownKit } from './kit.ts';
import { brokenLinks } from './links.ts';
import { checksPage } from './pages/checks.ts';
import { errorsPage, methodsPage } from './pages/methods.ts';
import { matrixOf, requirementProblems, requirementsPage } from './pages/requirements.ts';
import { settingsPage, withKeys } from './pages/settings.ts';

export type Generated = {
  /** What stands in git, by its path. */
  readonly files: ReadonlyMap<string, string>;
  /** What stands on the site only, by its path there. */
  readonly pages: ReadonlyMap<string, string>;
  readonly problems: readonly string[];
};

const programs = [
  { title: 'EHR server', command: 'npm run ehr --', settings: ehrSettings },
  { title: 'Mock authorization server', command: 'npm run auth --', settings: authSettings },
  { title: 'Mock client', command: 'npm run client --', settings: clientSettings },
  { title: 'Demo', command: 'npm run demo --', settings: demoSettings },
];

/** Generates every document from the sources below `directory`. Tests give their own `rows` and `kit`. */
export function generate(
  directory: string,
  rows: readonly Requirement[] = requirements,
  kit: Kit = ownKit,
): Generated {
  const textOf = (file: string) => readOrEmpty(join(directory, file));
  const read = listFiles(directory)
    .filter(isCode)
    .map((file) => readCitationsOf(directory, file));
  const cited = read.flatMap((result) => result.citations);
  const proofs = [...cited.filter((citation) => !isClaim(citation)), ...(kit.flows ?? [])];
  const matrix = matrixOf(rows, proofs, kit);
  const files = new Map([
    ['docs/openrpc.json', `${JSON.stringify(openRpcDocument(ehrMethods, openRpcInfo), null, 2)}\n`],
  ]);
  const pages = new Map([
    ['checks/index.md', checksPage(kit.roles, rows)],
    ['requirements/index.md', requirementsPage(matrix)],
    ['methods/index.md', methodsPage()],
    ['errors/index.md', errorsPage()],
    ['settings/index.md', settingsPage(programs)],
  ]);
  const aboutFiles = textOf('docs/files.md');
  if (aboutFiles !== '') files.set('docs/files.md', withKeys(aboutFiles));
  // `npm run bench` measures the figures. Here only the page is created from them.
  const figures = textOf(BENCHMARK_FILES.results);
  if (figures !== '') files.set(BENCHMARK_FILES.page, benchmarksPage(figures));
  const problems = [
    ...read.flatMap((result) => result.problems),
    ...requirementProblems(matrix),
    ...claimProblems(textOf(THREATS_PAGE), cited.filter(isClaim)),
    ...kit.roles.flatMap(kitProblems),
  ];
  return { files, pages, problems };
}

/** Lists what is outdated, incomplete or broken in the documents below `directory`, one sentence each. */
export function checkDocs(directory: string, rows?: readonly Requirement[], kit?: Kit): string[] {
  const { files, pages, problems } = generate(directory, rows, kit);
  const stale = [...files].filter(([file, text]) => readOrEmpty(join(directory, file)) !== text);
  const broken = brokenLinks({ directory, files: markdownOf(directory), pages });
  return [...problems, ...stale.map(([file]) => `${file} is stale. Please run npm run docs.`), ...broken];
}

export function markdownOf(directory: string): string[] {
  return listFiles(directory).filter((file) => file.endsWith('.md'));
}

function readCitationsOf(directory: string, file: string): Citations {
  const text = readFileSync(join(directory, file), 'utf8');
  return mayCite(text) ? readCitations(parse(file, text)) : { citations: [], problems: [] };
}

const openRpcInfo = { title: 'Embedded EHR Storage Interface: EHR server', version: '1.0-alpha' };

function readOrEmpty(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

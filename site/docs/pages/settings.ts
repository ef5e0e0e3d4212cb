/** The page of settings: of every program, from the tables with which it reads them. */
import type { Setting, SettingsTable } from '#service/process/command-line/settings.ts';
import { code, page } from '../markdown.ts';

export type DocumentedProgram = {
  readonly title: string;
  readonly command: string;
  readonly settings: SettingsTable;
};

export function settingsPage(programs: readonly DocumentedProgram[]): string {
  const known = new Set<string>();
  return page(
    '# Settings',
    'This page lists every setting of every program. A setting is a flag and an environment variable. A flag wins over its variable, which wins over the default. Flags follow two hyphens: `npm run ehr -- --port 4100`.',
    ...programs.flatMap(({ title, command, settings }) => [
      `## ${title}`,
      code(command),
      ...Object.values(settings).flatMap((setting) => settingText(setting, known)),
    ]),
  );
}

/** @param known the variables that have an address already: programs share some */
function settingText({ flag, env, default: usual, help, secret }: Setting, known: Set<string>): string[] {
  const anchor = known.has(env) ? '' : ` {#${env.toLowerCase()}}`;
  known.add(env);
  const preset = usual === undefined ? '' : ` Default: ${usual === '' ? 'empty' : code(usual)}.`;
  const kept = secret ? ' Its value is kept secret.' : '';
  return [`### ${code(flag)}${anchor}`, `Variable ${code(env)}.${preset}${kept} Meaning: ${help}.`];
}
